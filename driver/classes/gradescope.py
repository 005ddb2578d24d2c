"""grade gradescope: writes the zip file of an autograder, by Gradescope's specification
(https://gradescope-autograders.readthedocs.io/en/latest/specs/): setup.sh and run_autograder are at
its root, beside this repository.

    python3 -m driver.classes.gradescope RESULTS OPTIONS OUT

is what run_autograder calls: a result of `grade check` becomes what the options ask for."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from driver import texts
from driver.tree import ROOT
from driver.trouble import Trouble, ended

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")

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


def options(tasks: list, visibility: str, has_leaderboard: bool) -> dict:
    """For the zip file: what of the rules' tasks it takes to change a result."""
    return {"visibility": visibility,
            "hidden": {task.id: {"variant": task.variant, "tests": task.hidden} for task in tasks},
            "leaderboard": {task.id: task.variant for task in tasks
                            if has_leaderboard and task.is_timed}}


def adapted(results: dict, chosen: dict) -> dict:
    """The tests that students do not have are shown when the options say, and the ratios of the tasks
    for speed are on the leaderboard; 0 where the variant is not right or was not timed."""
    variants = {one["name"]: one for one in results["extra_data"]["variants"]}
    tests = [test | {"visibility": chosen["visibility"]}
             if _is_hidden(test, variants, chosen["hidden"]) else test for test in results["tests"]]
    board = [{"name": f"{task} {name}", "value": _speedup(variants.get(name)), "order": "desc"}
             for task, name in chosen["leaderboard"].items()]
    return results | {"tests": tests} | ({"leaderboard": board} if board else {})


def _is_hidden(test: dict, variants: dict[str, dict], hidden: dict) -> bool:
    """By the rules, or as a test of --hidden."""
    task = hidden.get(test.get("extra_data", {}).get("task", ""), {})
    name = test["name"].rpartition(": ")[2]
    of_variant = variants.get(task.get("variant", ""), {}).get("tests", [])
    return name in task.get("tests", []) or any(one["name"] == name and one["hidden"]
                                                for one in of_variant)


def _speedup(variant: dict | None) -> float:
    is_timed = variant is not None and variant["verdict"] == "right" and variant.get("speedup")
    return round(variant["speedup"], 2) if is_timed else 0


def write(file: Path, lab: str, hidden: Path | None, chosen: dict) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(file.name + ".partial")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        for script in ("setup.sh", "run_autograder"):
            archive.write(SCRIPTS / script, script)
        archive.writestr("lab", lab + "\n")
        archive.writestr("options.json", json.dumps(chosen, indent=1) + "\n")
        for name in _files():
            archive.write(ROOT / name, f"labs/{name}")
        if hidden:
            for test in sorted(hidden.rglob("*")):
                archive.write(test, f"hidden/{test.relative_to(hidden)}")
    new.replace(file)


def main(words: list[str]) -> int:
    if len(words) != 3:
        raise Trouble("expected RESULTS OPTIONS OUT")
    results, chosen, out = map(Path, words)
    with texts.as_expected(results):
        new = adapted(texts.read_json(results), texts.read_json(chosen))
    out.write_text(json.dumps(new, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(ended("gradescope", lambda: main(sys.argv[1:])))
