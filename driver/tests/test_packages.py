"""Tests how missing packages are found, with made-up programs in PATH, and installed."""

import os
import unittest
from unittest import mock

from driver.tests.samples import scratch
from driver.tools import packages
from driver.progress import Progress
from driver.trouble import Trouble

PROBE = """while [ "$1" != -B ]; do shift; done
printf 'libfmt-dev\\nlibgtest-dev\\n' >"$2/missing.txt" """


class PackagesTest(unittest.TestCase):
    def setUp(self):
        self.bin = scratch(self)
        path = mock.patch.dict(os.environ, {"PATH": str(self.bin)})
        path.start()
        self.addCleanup(path.stop)
        os.environ.pop("CXX", None)

    def program(self, name: str, script: str):
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def tools(self, cmake: str = "3.25.1", gcc: str = "12.2.0", probe: str = PROBE):
        version = f'[ "$1" != --version ] || {{ echo "cmake version {cmake}"; exit; }}'
        self.program("cmake", f"{version}\n{probe}")
        self.program("g++", f"echo {gcc}")
        self.program("ninja", "")

    def test_without_tools_all_is_missing(self):
        self.assertEqual(packages.of_labs(),
                         ["cmake", "g++", "make", "ninja-build", *packages.LIBRARIES])

    def test_cmake_names_missing_libraries(self):
        self.tools()
        self.assertEqual(packages.of_labs(), ["libfmt-dev", "libgtest-dev"])

    def test_a_compiler_may_have_arguments(self):
        self.tools()
        self.program("g++", "exit 1")
        self.program("ccache", '[ "$1" = g++-13 ] && echo 13.2.0')
        with mock.patch.dict(os.environ, CXX="ccache g++-13"):
            self.assertEqual(packages.of_labs(), ["libfmt-dev", "libgtest-dev"])
        with mock.patch.dict(os.environ, CXX="ccache g++"):
            self.assertIn("g++", packages.of_labs())

    def test_old_versions_are_missing(self):
        self.tools(cmake="3.9.0", gcc="11")
        self.assertEqual(packages.of_labs(), ["cmake", "g++", "libfmt-dev", "libgtest-dev"])

    def test_libraries_are_asked_of_dpkg_where_cmake_does_not_say(self):
        self.tools(probe="exit 1")
        self.program("dpkg-query", 'case "$4" in libf*) exit 1 ;; esac; echo "ok installed"')
        self.assertEqual(packages.of_labs(), ["libfmt-dev"])

    def test_what_is_missing_is_named_with_its_command(self):
        with self.assertRaisesRegex(Trouble, "apt-get install cmake g.. make"):
            packages.check(packages.of_labs)

    def test_reports_need_gnuplot_and_a_module(self):
        with mock.patch("importlib.util.find_spec", return_value=None):
            with mock.patch("sys.executable", "/usr/bin/python3"):
                self.assertEqual(packages.of_site(), ["gnuplot-nox", "python3-markdown-it"])
            with mock.patch("sys.executable", "/opt/conda/bin/python3"), \
                    self.assertRaisesRegex(Trouble, "/opt/conda/bin/python3 -m pip install"):
                packages.of_site()
        self.program("gnuplot", "")
        with mock.patch("importlib.util.find_spec", return_value=object()):
            self.assertEqual(packages.of_site(), [])

    def test_install_waits_for_another_apt(self):
        self.program("sudo", 'exec "$@"')
        self.program("env", 'while [ "$1" != apt-get ]; do shift; done; exec "$@"')
        said = self.bin / "said"
        self.program("apt-get", f"""echo "$*" >>{said}
case "$*" in
*update) [ -e {said}2 ] || {{ : >{said}2; echo "E: Could not get lock" >&2; exit 100; }} ;;
esac""")
        with mock.patch("time.sleep"):
            packages.install(["one", "two"])
        calls = said.read_text().splitlines()
        self.assertEqual([call.split()[-1] for call in calls], ["update", "update", "two"])
        self.assertIn("Lock::Timeout=600", calls[2])

    def test_a_failure_of_apt_ends_the_run(self):
        self.program("sudo", "exit 1")
        self.program("env", "exit 1")
        with mock.patch("sys.stderr"), self.assertRaisesRegex(Trouble, "apt-get could not"):
            progress = Progress(self.bin, self.bin)
            with mock.patch.object(progress, "say"):
                packages.check(packages.of_labs, progress)


if __name__ == "__main__":
    unittest.main()
