"""BenchExec's tool-info module for hmc.

Put this file where BenchExec finds it as `tools.hmc` or name it by its module; check it with

    python3 -m benchexec.test_tool_info hmc --no-container --tool-directory DIR
"""

import re

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException

# What is looked for, by the words of a property file.
PROPERTIES = [
    ("unreach-call", "assertion"),
    ("reach_error", "assertion"),
    ("no-data-race", "race"),
    ("data-race", "race"),
    ("valid-memsafety", "memory"),
    ("valid-deref", "memory"),
    ("no-overflow", "overflow"),
    ("overflow", "overflow"),
]
# What BenchExec calls a violation, by the kind of what hmc finds.
VIOLATIONS = {
    "assertion": result.RESULT_FALSE_REACH,
    "race": result.RESULT_FALSE_PROP + "(no-data-race)",
    "undefined": result.RESULT_FALSE_PROP + "(no-data-race)",
    "memory": result.RESULT_FALSE_PROP + "(valid-deref)",
    "overflow": result.RESULT_FALSE_OVERFLOW,
}


class Tool(BaseTool2):
    """Checks concurrent programs against a memory model read from a .cat file."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("hmc")

    def name(self):
        return "hmc"

    def project_url(self):
        return "https://github.com/hmc-check/hmc"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hmc")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, *options]
        if task.property_file:
            command += ["--properties", self._property(task.property_file)]
        if rlimits.cputime:
            command += ["--timeout", str(rlimits.cputime)]
        if rlimits.cpu_cores:
            command += ["--threads", str(rlimits.cpu_cores)]
        return [*command, *task.input_files_or_identifier]

    @staticmethod
    def _property(file):
        with open(file, encoding="utf-8") as text:
            words = text.read()
        for word, name in PROPERTIES:
            if word in words:
                return name
        raise UnsupportedFeatureException(f"hmc does not look for what {file} asks")

    def determine_result(self, run):
        # `exit_code` is false when it is 0.
        if run.was_timeout or run.exit_code is None or run.exit_code.value is None:
            return result.RESULT_UNKNOWN
        code = run.exit_code.value
        if code == 0:
            return result.RESULT_TRUE_PROP
        if code == 1:
            for line in run.output:
                for kind, verdict in VIOLATIONS.items():
                    if line.startswith(f"[{kind}] Error"):
                        return verdict
            return result.RESULT_FALSE_PROP
        if code in (3, 4):
            return result.RESULT_UNKNOWN
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        for line in output:
            if found := re.search(rf"(\d+) {re.escape(identifier)}\b", line):
                return found.group(1)
        return None
