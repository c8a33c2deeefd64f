#!/usr/bin/env python3
"""Generated programs through `hmc compiled`: campaign.py HMC GENERATOR FROM TO.

GENERATOR prints a program for a seed, which ends in `outcome(CODE)`: a number that says what its threads saw. That is observed here. One line a program that
is not `holds`; of each new outcome, who confirms it:
- native: the program, compiled at that level by the same compiler and run, has the outcome (only of generators whose programs are deterministic);
- external: the pass is GlobalOpt, and with all variables external the program holds, so that it was a static variable made local;
- nobody: a false alarm, or a fault of a kind that is new. Each of these is to be looked into.
"""
import collections, json, os, re, subprocess, sys, tempfile

HMC, GENERATOR, FROM, TO = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
LEVELS = ['-O1', '-O2']
CLANG = os.environ.get('HMC_CLANG', 'clang-19')
SHOW = '#ifdef NATIVE\n#include <stdio.h>\n#define hmc_observe(x) printf("%d\\n", x)\n#else\n#include <hmc.h>\n#endif\n'


def observed(text):
    """The program with its outcome observed instead of told by a place where it ends."""
    head, rest = text.split('__attribute__((optnone, noinline)) static void outcome(int c) {', 1)
    main = rest[rest.index('int main(void)'):]
    return SHOW + head + re.sub(r'outcome\((.*)\);', r'hmc_observe(\1);', main)


def compiled(path):
    command = [HMC, 'compiled', '--json', '--cat', 'rc11', '--timeout', '60', path, '--'] + LEVELS
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)[0]
    except (ValueError, IndexError):
        return {'answer': 'no report', 'why': done.stderr[-300:]}


def native(path, level):
    """What the program shows when it is compiled at a level and run a few times."""
    binary = path[:-2]
    subprocess.run([CLANG, level, '-DNATIVE', '-pthread', '-w', '-o', binary, path], check=True)
    shown = set()
    for _ in range(5):
        try:
            shown.add(subprocess.run([binary], capture_output=True, text=True, timeout=5).stdout.strip())
        except subprocess.TimeoutExpired:
            shown.add('does not end')
    return shown


def confirmed(path, text, level, deterministic):
    pass_ = (level.get('blame') or {}).get('pass', 'no pass')
    new = level.get('new_outcomes', [])
    if deterministic:
        wanted = {found for outcome in new for found in re.findall(r' by T\d+=(-?\d+)', outcome)}
        shown = native(path, level['name'])
        if shown & wanted or 'does not end' in shown and level.get('new_findings'):
            return 'native', pass_
    external = path[:-2] + '_external.c'
    with open(external, 'w') as file:
        file.write(re.sub(r'^static (?=(volatile )?(atomic_|int|struct)[^(]*;$)', '', text, flags=re.M))
    if 'globalopt' in pass_.lower() and compiled(external)['answer'] == 'holds':
        return 'external', pass_
    return 'nobody', pass_


def main():
    deterministic = os.path.basename(GENERATOR) == 'gen5.py'
    answers, who, passes = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(FROM, TO):
            made = subprocess.run([sys.executable, GENERATOR, str(seed)], capture_output=True, text=True, check=True)
            text, path = observed(made.stdout), os.path.join(folder, f'p{seed}.c')
            with open(path, 'w') as file:
                file.write(text)
            report = compiled(path)
            answers[report['answer']] += 1
            if report['answer'] == 'violated':
                for level in report['levels']:
                    if not level.get('new_outcomes') and not level.get('new_findings'):
                        continue
                    by, pass_ = confirmed(path, text, level, deterministic)
                    who[by] += 1
                    passes[pass_] += 1
                    print(f'{seed} {level["name"]} confirmed by {by}: {pass_}: {level.get("new_outcomes")} {level.get("new_findings")}', flush=True)
            elif report['answer'] not in ('holds', 'undefined'):
                print(f'{seed} {report["answer"]}: {report.get("why", "")}', flush=True)
    print(f'answers: {dict(answers)}\nnew at a level, confirmed by: {dict(who)}\npasses: {dict(passes)}')


main()
