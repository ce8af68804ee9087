"""Runs one program many times in one process, which loads it once (resident.c)."""

import os
import pathlib
import subprocess
import types


class Resident:
    """Of a program whose main() may be called again; one that crashes is started anew for the next call."""

    def __init__(self, program, scratch):
        self.program, here = program, pathlib.Path(scratch)
        self.library, self.out, self.err = here / "resident.so", here / "out", here / "err"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", self.library,
                        pathlib.Path(__file__).with_suffix(".c"), "-ldl"], check=True)
        self.process = None

    def run(self, arguments, cwd):
        if not self.process:
            environment = dict(os.environ, LD_PRELOAD=str(self.library), ASAN_OPTIONS="verify_asan_link_order=0")
            self.process = subprocess.Popen([self.program], env=environment, text=True, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE)
        print(*(str(word) for word in [cwd, self.out, self.err, *arguments]), sep="\t", file=self.process.stdin,
              flush=True)
        code = self.process.stdout.readline()
        if not code:
            self.end()
        return types.SimpleNamespace(returncode=int(code or self.code), stdout=self.out.read_text(),
                                     stderr=self.err.read_text())

    def end(self):
        self.process.stdin.close()
        self.code, self.process = self.process.wait(), None
