"""grade gradescope: writes the zip file of an autograder, by Gradescope's specification
(https://gradescope-autograders.readthedocs.io/en/latest/specs/): setup.sh and run_autograder are at
its root, beside this repository."""

import subprocess
import zipfile
from pathlib import Path

from driver.tree import ROOT

SCRIPTS = ROOT / "grading/gradescope"
LEFT_OUT = ("reports", ".ci", ".git", "results")


def _files() -> list[str]:
    """Those of a clone that git does not ignore; of an exported tree, all but builds."""
    listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.split("\0") if name]
    else:
        names = [file.relative_to(ROOT).as_posix() for file in ROOT.rglob("*")]
    return [name for name in sorted(set(names)) if (ROOT / name).is_file()
            and name.partition("/")[0] not in LEFT_OUT and not name.startswith("build")]


def write(file: Path, lab: str, hidden: Path | None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".partial")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for script in ("setup.sh", "run_autograder"):
            archive.write(SCRIPTS / script, script)
        archive.writestr("lab", lab + "\n")
        for name in _files():
            archive.write(ROOT / name, f"labs/{name}")
        if hidden:
            for test in sorted(hidden.rglob("*")):
                archive.write(test, f"hidden/{test.relative_to(hidden)}")
    new.replace(file)
