"""How omp_best stands against libraries and rungs on a CPU."""

import tempfile
import unittest
from pathlib import Path

from driver import machines, standing

HEAD = "variant,width,height,parameters,kernel_ms_mean,spread,disturbed,case\n"
LIMIT = HEAD + """\
omp_rows,256,256,filter=box3;threads=2,5,0,0,
omp_best,256,256,filter=box3;threads=2,2,0,0,
peer_simd,256,256,filter=box3;threads=2,1,0,0,
peer_ipp,256,256,filter=box3;threads=2,3,0,0,
omp_best,480,270,filter=box3;threads=2,2,0,0,
peer_simd,480,270,filter=box3;threads=2,2.05,0,0,
omp_rows,512,512,filter=box3;threads=2,1,0,0,
omp_best,512,512,filter=box3;threads=2,2,0,0,
peer_simd,512,512,filter=box3;threads=2,4,0,0,
omp_best,16,16,filter=box3;threads=2,2,0,0,
peer_simd,16,16,filter=box3;threads=2,1,0,0,
omp_best,600,600,filter=box3;threads=2,2,0.9,0,
peer_simd,600,600,filter=box3;threads=2,1,0,0,
cuda_best,512,512,filter=box3,0.1,0,0,
"""


class Standing(unittest.TestCase):
    def row(self, text: str) -> tuple[str, ...] | None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "limit.csv").write_text(text)
            machine = machines.Machine("cpu-x-2core", "", "a CPU")
            return standing.row_of("lab1-convolution", machine, Path(folder))

    def test_small_and_noisy_works_and_gpus_do_not_count(self) -> None:
        self.assertEqual(self.row(LIMIT), ("1", "a CPU", "3", "1", "1",
                                           "box3, 256x256: 0.50 (`peer_simd`)",
                                           "box3, 512x512: 0.50 (`omp_rows`)"))

    def test_no_row_without_libraries(self) -> None:
        self.assertIsNone(self.row(HEAD + "omp_best,256,256,filter=box3;threads=2,2,0,0,\n"))

    def test_a_case_names_the_work(self) -> None:
        rows = HEAD + ("omp_best,300,300,color=gray;threads=2,2,0,0,sky\n"
                       "peer_ipp,300,300,color=gray;threads=2,1,0,0,sky\n")
        found = self.row(rows)
        assert found
        self.assertEqual(found[5], "sky, 300x300: 0.50 (`peer_ipp`)")


if __name__ == "__main__":
    unittest.main()
