"""The machines that reports/ has measurements of: a folder's name in reports/LAB/, with the GPU and
the CPU, in reports/machines.json.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from driver import cores
from driver.variants import ROOT

FILE = ROOT / "reports" / "machines.json"

# Microarchitectures by (vendor, family) and models, as g++ tells them apart (its cpuinfo.h). A CPU
# that is not here is named by its vector instructions.
KINDS = {
    ("AuthenticAMD", 23): (("Zen", range(0x30)), ("Zen 2", range(0x30, 0x100))),
    ("AuthenticAMD", 25): (("Zen 4", range(0x10, 0x20)), ("Zen 4", range(0x60, 0x80)),
                           ("Zen 4", range(0xa0, 0xb0)), ("Zen 3", range(0x100))),
    ("AuthenticAMD", 26): (("Zen 5", range(0x100)),),
    ("GenuineIntel", 6): (("Skylake", (85, 94, 78)), ("Ice Lake", (106, 108, 125, 126)),
                          ("Alder Lake", (151, 154)), ("Sapphire Rapids", (143,)),
                          ("Emerald Rapids", (207,)), ("Granite Rapids", (173, 174))),
}
# Flags of /proc/cpuinfo, the strongest first.
FEATURES = (("amx_int8", "AMX"), ("avx512vbmi", "AVX-512 VBMI"), ("avx512bw", "AVX-512"),
            ("avx2", "AVX2"), ("sse4_1", "SSE4"), ("sve", "SVE"), ("asimd", "NEON"))


# What an older CPU has, by its name in run_all.sh measure --as: see harness/tools/older_cpu.cpp.
OLDER = {"avx2": "AVX2", "sse4": "SSE4"}


@dataclass(frozen=True)
class Machine:
    name: str  # of its folders, as cpu-zen5-2core, cpu-zen5-2core-as-avx2 or h200
    gpu: str  # empty: none
    cpu: str

    @property
    def is_restricted(self) -> bool:
        """To the instructions of an older CPU."""
        return any(self.name.endswith(f"-as-{older}") for older in OLDER)


def known() -> list[Machine]:
    """Those with a GPU first."""
    listed = json.loads(FILE.read_text("utf-8")) if FILE.exists() else []
    return sorted((Machine(**machine) for machine in listed),
                  key=lambda machine: (not machine.gpu, machine.name))


def add(machine: Machine) -> None:
    """The description of one that is known stays, since it may have been edited."""
    machines = known()
    if machine.name not in (other.name for other in machines):
        text = json.dumps([asdict(each) for each in (*machines, machine)], indent=2)
        FILE.write_text(text + "\n", "utf-8")


def this(gpu: str) -> Machine:
    """`gpu` is the name of the one that is measured, as "NVIDIA H200"; empty: none."""
    return of(_lscpu(), cores.available(), gpu)


def of(facts: dict[str, str], cores: int, gpu: str = "") -> Machine:
    """`facts` are those of lscpu, by field."""
    flags = set(facts.get("Flags", "").split())
    features = [name for flag, name in FEATURES if flag in flags][:1]
    model = facts.get("Model name", "an unknown CPU")
    kind = _kind(facts)
    known_as = ", ".join(([kind] if kind not in ("", model) else []) + features)
    cpu = (f"{model}{f' ({known_as})' if known_as else ''}, "
           f"{cores} core{'s' if cores != 1 else ''}")
    if gpu:
        return Machine(_slug(re.sub("NVIDIA|GeForce", "", gpu)), gpu, cpu)
    short = _slug(kind).replace("-", "") or "-".join([_slug(facts.get("Architecture", "cpu")),
                                                      *map(_slug, features)])
    # A hypervisor may hide the instructions that set this CPU apart.
    hidden = "-noamx" if kind.endswith("Rapids") and "AMX" not in features else ""
    return Machine(f"cpu-{short}{hidden}-{cores}core", "", cpu)


def restricted(machine: Machine, older: str) -> Machine:
    """`older` is a key of OLDER."""
    return Machine(f"{machine.name}-as-{older}", machine.gpu,
                   f"{machine.cpu}, restricted to {OLDER[older]}")


def _kind(facts: dict[str, str]) -> str:
    family, model = (int(facts.get(field, "0")) if facts.get(field, "0").isdigit() else 0
                     for field in ("CPU family", "Model"))
    for kind, models in KINDS.get((facts.get("Vendor ID", ""), family), ()):
        if model in models:
            return kind
    # The model name is that of the core on arm64, that of the product on x86.
    model_name = facts.get("Model name", "")
    return model_name if facts.get("Vendor ID") == "ARM" and model_name not in ("", "-") else ""


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _lscpu() -> dict[str, str]:
    told = subprocess.run(["lscpu", "--json"], capture_output=True, text=True, check=True,
                          env=os.environ | {"LC_ALL": "C"}).stdout
    return {entry["field"].rstrip(":"): entry["data"] or "" for entry in _all(json.loads(told))}


def _all(node: object) -> list[dict]:
    """Newer versions of lscpu nest the fields."""
    if isinstance(node, list):
        return [entry for child in node for entry in _all(child)]
    if not isinstance(node, dict):
        return []
    own = [node] if "field" in node else []
    return own + [entry for child in node.values() for entry in _all(child)]


def folders_of(lab: str) -> list[tuple[Machine, Path]]:
    """The machines that the lab was measured on, with their folders."""
    return [(machine, folder) for machine in known()
            if (folder := ROOT / "reports" / lab / machine.name).is_dir()]
