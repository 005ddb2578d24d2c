#!/usr/bin/env python3
"""in_docker.py COMMAND...: runs it under the part of Docker's default seccomp profile that concerns
personality(2), without which the addresses of a program are random: all but 0, 8, 0x20000, 0x20008
and 0xffffffff fail with EPERM. For x86-64 and arm64."""

import ctypes
import errno
import os
import platform
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06  # instructions of BPF
NUMBER, FIRST_ARGUMENT = 0, 16  # offsets in struct seccomp_data
ALLOW, REFUSE = 0x7fff0000, 0x00050000 | errno.EPERM
PERSONALITY = {"x86_64": 135, "aarch64": 92}[platform.machine()]
ALLOWED = [0, 8, 0x20000, 0x20008, 0xffffffff]


class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(f"usage: {__doc__}")
    steps = [(LOAD, 0, 0, NUMBER), (EQUAL, 1, 0, PERSONALITY), (RETURN, 0, 0, ALLOW),
             (LOAD, 0, 0, FIRST_ARGUMENT)]
    for number in ALLOWED:
        steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    code = b"".join(struct.pack("HBBI", *step) for step in [*steps, (RETURN, 0, 0, REFUSE)])
    program = Program(len(code) // 8, code)
    libc = ctypes.CDLL(None, use_errno=True)
    if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)):
        sys.exit(f"in_docker.py: seccomp: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
