"""BenchExec's tool-info module for hmc.

With this directory's parent on the path of modules it is `tools.hmc`; it is checked by

    PYTHONPATH=contrib/benchexec python3 -m benchexec.test_tool_info tools.hmc --no-container --tool-directory DIR
"""

import re
from pathlib import Path

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
        try:
            words = Path(file).read_text(encoding="utf-8")
        except OSError as error:
            raise UnsupportedFeatureException(f"{file} cannot be read: {error}") from error
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
