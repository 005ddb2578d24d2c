"""Writes tables and pages, whole or not at all, for those alone who grade."""

import csv
import os
import re
from pathlib import Path

from driver.trouble import Trouble

TEMPLATES = Path(__file__).resolve().parents[1] / "templates"


def text(value):
    """XML 1.0 takes no other characters, however they are written."""
    return re.sub("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", str(value))


def write(path, content):
    """Writes a file whole or not at all."""
    beside = path.with_name(path.name + ".partial")
    with open(beside, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content.encode())
    beside.replace(path)


def disarmed(field):
    """A spreadsheet computes what begins like a formula. Numbers stay numbers."""
    field = text(field)
    if field.lstrip()[:1] in ("=", "+", "-", "@") and not re.fullmatch(r"-?[0-9.]+", field):
        return "'" + field
    return field


def write_csv(path, rows):
    beside = path.with_name(path.name + ".partial")
    with open(beside, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([map(disarmed, row) for row in rows])
    beside.replace(path)


def templates():
    """The package that fills them in: only pages need it."""
    try:
        import jinja2
    except ImportError as error:
        raise Trouble("needs jinja2 (Debian: apt-get install python3-jinja2)", code=3) from error
    return jinja2


def rendered(template, **variables):
    jinja2 = templates()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if hasattr(value, "__html__") else text(value))
    return environment.get_template(template).render(**variables)


def write_page(path, template, **variables):
    write(path, rendered(template, **variables))
