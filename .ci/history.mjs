// Reads the subjects of the commits since they have to fit a line of `git log --oneline`; the reason for a change is in the body.
import { spawnSync } from 'node:child_process';

/** Subjects up to this revision are what they are. */
const SINCE = '84c7188b7696bdc32193625abb4dceec8ab34cec';

const LONGEST_SUBJECT = 72;

/** What a subject does against the rules. */
function faultsOf(subject) {
  const length = [...subject].length;
  return [
    ...(length > LONGEST_SUBJECT ? [`has ${length} characters, more than ${LONGEST_SUBJECT}`] : []),
    ...(subject.endsWith('.') ? ['ends with a period'] : []),
  ];
}

function git(...options) {
  return spawnSync('git', options, { encoding: 'utf8' });
}

if (git('merge-base', '--is-ancestor', SINCE, 'HEAD').status !== 0) {
  process.stdout.write(
    `Not checked: ${SINCE} is not in the history that is here (no git, no clone, or a shallow one).\n`,
  );
  process.exit();
}
const { status, stdout, stderr } = git('log', '--no-merges', '--format=%h %s', `${SINCE}..HEAD`);
if (status !== 0) throw new Error(stderr);
const commits = stdout.split('\n').filter((line) => line !== '');
const faults = commits.flatMap((commit) =>
  faultsOf(commit.slice(commit.indexOf(' ') + 1)).map((fault) => `${commit}: ${fault}`),
);
process.stdout.write(`${[...faults, `${commits.length} subjects read, ${faults.length} faults`].join('\n')}\n`);
if (faults.length > 0) process.exitCode = 1;
