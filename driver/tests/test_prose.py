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


if __name__ == "__main__":
    unittest.main()
