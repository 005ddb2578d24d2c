import unittest

from driver.prose import False_, Rows


def row(variant: str, ms: float, spread: float, disturbed: float, noise: str) -> dict[str, str]:
    return {"variant": variant, "kernel_ms_mean": str(ms), "spread": str(spread),
            "disturbed": str(disturbed), "noise": noise}


class NoisyRows(unittest.TestCase):
    rows = Rows("scaling", [row("quiet", 1, 0.1, 0, ""), row("disturbed", 2, 0.1, 1, "disturbed"),
                            row("spread", 3, 0.4, 1, "spread")])

    def test_have_no_value(self) -> None:
        self.assertEqual(self.rows("quiet"), 1)
        for variant in ("disturbed", "spread"):
            with self.assertRaises(False_):
                self.rows(variant)

    def test_are_steady_if_only_other_work_disturbed_them(self) -> None:
        steady = self.rows.steady()
        self.assertEqual((steady("quiet"), steady("disturbed")), (1, 2))
        with self.assertRaises(False_):
            steady("spread")


class WholeCalls(unittest.TestCase):
    """Of a CUDA variant."""

    def total_ms(self, spread: float) -> float:
        whole = row("cuda", 1, 0.6, 0, "spread") | {
            "backend": "cuda", "total_ms_mean": "13", "total_spread": str(spread)}
        return Rows("pipeline", [whole])("cuda", "total_ms_mean")

    def test_are_steady_by_their_own_repeats(self) -> None:
        self.assertEqual(self.total_ms(0.01), 13)

    def test_are_noisy_by_their_own_repeats(self) -> None:
        with self.assertRaises(False_):
            self.total_ms(0.7)


class Scaling(unittest.TestCase):
    def test_growth_of_the_cpu_time(self) -> None:
        one = row("omp_rows", 100, 0, 0, "") | {"threads": "1", "idle_percent": ""}
        four = row("omp_rows", 50, 0, 0, "") | {"threads": "4", "idle_percent": "25"}
        self.assertEqual(Rows("scaling", [one, four]).cpu_growth("omp_rows", 4), 1.5)


if __name__ == "__main__":
    unittest.main()
