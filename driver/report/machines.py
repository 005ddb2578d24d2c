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

from driver import cores, texts
from driver.trouble import Trouble
from driver.variants import ROOT

FILE = ROOT / "reports" / "machines.json"

# Microarchitectures by (vendor, family) and models, as g++ tells them apart (its cpuinfo.h). A CPU
# that is not here is named by its vector instructions.
SKYLAKE = "Skylake"
KINDS = {
    ("AuthenticAMD", 23): (("Zen", range(0x30)), ("Zen 2", range(0x30, 0x100))),
    ("AuthenticAMD", 25): (("Zen 4", range(0x10, 0x20)), ("Zen 4", range(0x60, 0xb0)),
                           ("Zen 3", range(0x60))),
    ("AuthenticAMD", 26): (("Zen 5", range(0x50)), ("Zen 5", range(0x60, 0x78)),
                           ("Zen 5", range(0xd0, 0xd8))),
    ("GenuineIntel", 6): ((SKYLAKE, (85, 94, 78)), ("Ice Lake", (106, 108, 125, 126)),
                          ("Alder Lake", (151, 154)), ("Sapphire Rapids", (143,)),
                          ("Emerald Rapids", (207,)), ("Granite Rapids", (173, 174))),
}
# The servers that share model 85 with Skylake: the instruction that each was first to have, and its
# first stepping. A hypervisor may hide one of both.
SUCCESSORS = (("Cooper Lake", "avx512_bf16", 10), ("Cascade Lake", "avx512_vnni", 5))
# Flags of /proc/cpuinfo, the strongest first.
FEATURES = (("amx_int8", "AMX"), ("avx512vbmi", "AVX-512 VBMI"), ("avx512bw", "AVX-512"),
            ("avx2", "AVX2"), ("sse4_1", "SSE4"), ("sve", "SVE"), ("asimd", "NEON"))


# One of these files is in the folder of a machine, and in no other one of reports/LAB.
OF_A_MACHINE = ("device.txt", "ladder.csv", "limit.csv", "older_cpus.csv", "scaling.csv")

# The vector instructions of an older CPU, by its name in run_all.sh measure --as: see
# harness/tools/older_cpu.cpp.
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
    found = []
    for place, fields in enumerate(texts.read_json(FILE, list) if FILE.exists() else [], 1):
        if not isinstance(fields, dict) or set(fields) != {"name", "gpu", "cpu"} \
                or not all(isinstance(value, str) for value in fields.values()):
            raise Trouble(f"{FILE}: entry {place} has not the texts name, gpu and cpu")
        if fields["name"] in (machine.name for machine in found):
            raise Trouble(f"{FILE}: '{fields['name']}' is there twice")
        found.append(Machine(**fields))
    return sorted(found, key=lambda machine: (not machine.gpu, machine.name))


def refuse_unknown() -> None:
    """Raises Trouble for a folder of measurements whose machine has no entry."""
    names = {machine.name for machine in known()}
    for folder in sorted(FILE.parent.glob("lab*/*/")):
        is_machine = any((folder / file).exists() for file in OF_A_MACHINE)
        if is_machine and folder.name not in names:
            raise Trouble(f"{folder}: there is no machine '{folder.name}' in {FILE.name}: add its "
                          "name, gpu and cpu there, or delete the folder")


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
    family, model, stepping = (
        int(facts.get(field, "0")) if facts.get(field, "0").isdigit() else 0
        for field in ("CPU family", "Model", "Stepping"))
    for kind, models in KINDS.get((facts.get("Vendor ID", ""), family), ()):
        if model in models:
            return _server_kind(facts, stepping) if (kind, model) == (SKYLAKE, 85) else kind
    # The model name is that of the core on arm64, that of the product on x86.
    model_name = facts.get("Model name", "")
    return model_name if facts.get("Vendor ID") == "ARM" and model_name not in ("", "-") else ""


def _server_kind(facts: dict[str, str], stepping: int) -> str:
    flags = facts.get("Flags", "").split()
    return next((kind for kind, flag, first in SUCCESSORS if flag in flags or stepping >= first),
                SKYLAKE)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _lscpu() -> dict[str, str]:
    """Newer versions indent some fields."""
    told = subprocess.run(["lscpu"], capture_output=True, text=True, check=True,
                          env=os.environ | {"LC_ALL": "C"}).stdout
    fields = (line.partition(":") for line in told.splitlines())
    return {field.strip(): value.strip() for field, _, value in fields}


def folders_of(lab: str) -> list[tuple[Machine, Path]]:
    """The machines that the lab was measured on, with their folders."""
    return [(machine, folder) for machine in known()
            if (folder := ROOT / "reports" / lab / machine.name).is_dir()]
