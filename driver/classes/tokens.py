"""One spelling of a preprocessed C++ text: what a compiler takes for the same looks the same."""

import functools
import re
from pathlib import Path

GRAM = 20  # tokens that are compared in one piece
KEYWORDS = frozenset("auto bool break case char class const continue do double else float for if int "
                     "long namespace return short signed sizeof static struct switch template "
                     "typename unsigned using void while".split())

_LETTER = r"(?:[A-Za-z_$\x80-\U0010ffff]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|\\[uN]\{[^}\n]*\})"
_PREFIX = r"(?:u8|[uUL])?"
_STRING, _CHARACTER = rf'{_PREFIX}"(?:\\.|[^"\\\n])*"\w*', rf"{_PREFIX}'(?:\\.|[^'\\\n])+'\w*"
_NUMBER, _NAME = r"\.?\d(?:[eEpP][+-]|'?[\w.])*", rf"{_LETTER}(?:{_LETTER}|\d)*"
_MAY_BE_RAW = re.compile(r'R"[^()\\\s"]{0,16}\(')
_RAW = re.compile(rf'{_PREFIX}R"(?P<mark>[^()\\\s"]{{0,16}})\((?s:.*?)\)(?P=mark)"\w*'
                  rf"|{_STRING}|{_CHARACTER}|{_NUMBER}|{_NAME}")
_TOKEN = re.compile(  # `<::` is `<` and `::`, and `<<:` has a shift
    rf"(?P<blank>\s+|\\$|//.*)|(?P<string>{_STRING})|(?P<character>{_CHARACTER})"
    rf"|(?P<number>{_NUMBER})|(?P<name>{_NAME})"
    r"|(?P<sign>::|<<|<(?=::(?![:>]))|<%|%>|<:|:>|%:|.)")
_SAME = {"and": "&&", "and_eq": "&=", "bitand": "&", "bitor": "|", "compl": "~", "not": "!",
         "not_eq": "!=", "or": "||", "or_eq": "|=", "xor": "^", "xor_eq": "^=",
         "<%": "{", "%>": "}", "<:": "[", ":>": "]", "%:": "#"}
_LITERALS = {"string": '""', "character": "'c'", "number": "0"}


def in_one_spelling(text: str) -> str:
    """A statement or pragma a line, with a blank between tokens. Signs are single characters, letters
    of names are of ASCII, and literals of a kind are the same."""
    if _MAY_BE_RAW.search(text):  # of all tokens, only raw strings are in several lines
        text = _RAW.sub(lambda found: found[0] if found["mark"] is None else '""', text)
    lines = " ".join(filter(None, map(_line, text.split("\n"))))
    return re.sub(r'""(?: "")+', '""', lines)


@functools.lru_cache(1 << 18)  # all files include the same headers
def _line(text: str) -> str:
    directive = re.match(r"\s*(?:#|%:)\s*(pragma\b)?", text)
    if directive and directive[1]:
        return f"\n# pragma {_line(text[directive.end():])}\n"
    found: list[str] = []
    for match in _TOKEN.finditer("" if directive else text):
        kind, token = match.lastgroup, match[0]
        if kind in _LITERALS:
            found.append(_LITERALS[kind])
        elif kind == "name" and token not in _SAME:
            found.append(re.sub(r"\W|[^\x00-\x7f]", lambda sign: f"_{ord(sign[0]):x}", token))
        elif kind != "blank":
            found += [f"{sign}\n" if sign in ";{}" else sign for sign in _SAME.get(token, token)]
    return " ".join(found)


def statements(file: Path) -> list[str]:
    """With the character that ends each."""
    text = in_one_spelling(file.read_bytes().decode("utf-8", "surrogateescape"))
    return [statement.strip() for statement in text.split("\n")]


def body(statement: str) -> str:
    return statement.rstrip(" ;{}")


def runs(tokens: list[str]) -> list[tuple[str, ...]]:
    """The kinds of each GRAM tokens that follow each other. A name is like each other one."""
    kinds = ["name" if re.match(r"[A-Za-z_]", token) and token not in KEYWORDS else token
             for token in tokens]
    return [tuple(kinds[begin:begin + GRAM]) for begin in range(len(kinds) - GRAM + 1)]
