/** Tests that `scripts/packages.txt` lists exactly the packages that the sources use. */

import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {shellCommands} from './shell-commands.js';
import {findUses} from './uses.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Each line has a name, purposes, and either the parts of the package that are used or a reason in parentheses. */
const packages = readFileSync(`${root}scripts/packages.txt`, 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => {
    const [, name, purposes, rest] = line.match(/^(\S+) +(\S+) +(\S.*)$/) ?? assert.fail(line);
    const isReason = /^\(.*\)$/.test(rest);
    return {
      name,
      purposes: purposes.split(','),
      provides: isReason ? [] : rest.split(' '),
      isReason,
    };
  });

const uses = findUses();

/** The README requires Node and git; setup.sh uses the last two only if they are installed. */
const EXPECTED = ['git', 'node', 'npm', 'npx', 'sudo', 'systemctl'];
const builtins = new Set(
  execFileSync('bash', ['-c', 'compgen -b; compgen -k'], {encoding: 'utf8'}).trim().split('\n'),
);

/** Gives the lines that dpkg-query prints; it skips arguments that it does not know. @param {string[]} args */
const query = (args) =>
  spawnSync('dpkg-query', args, {encoding: 'utf8', maxBuffer: 1 << 28})
    .stdout.trim()
    .split('\n');

/** Finds the programs of packages that every Debian has. @param {string[]} names @returns {Set<string>} */
function essential(names) {
  const paths = new Map();
  for (const name of names) {
    const file = ['/usr/bin', '/usr/sbin'].map((folder) => `${folder}/${name}`).find(existsSync);
    // Debian 12 lists some programs under /bin, which is another name of /usr/bin.
    if (file)
      for (const path of [realpathSync(file), realpathSync(file).replace('/usr', '')])
        paths.set(path, name);
  }
  const priorities = new Map(
    query(['-W', '-f', '${Package} ${Priority}\n']).map(
      (line) => /** @type {[string, string]} */ (line.split(' ')),
    ),
  );
  return new Set(
    query(['-S', ...paths.keys()]).flatMap((line) => {
      const [owner, path] = line.split(': ');
      return priorities.get(owner) === 'required' ? [paths.get(path)] : [];
    }),
  );
}

/** @param {string} used @param {string} purpose */
const isProvided = (used, purpose) =>
  packages.some(
    ({purposes, provides}) =>
      (purposes.includes('build') || purposes.includes(purpose)) && provides.includes(used),
  );

test('every program, Python module and system file that the sources use is in a listed package', () => {
  const ofNpm = (/** @type {string} */ name) => existsSync(`${root}node_modules/.bin/${name}`);
  const others = uses.filter(
    ({name, purpose}) =>
      name !== '' &&
      !isProvided(name, purpose) &&
      !builtins.has(name) &&
      !EXPECTED.includes(name) &&
      !ofNpm(name),
  );
  const known = essential(others.map(({name}) => name));
  const missing = others.filter(({name}) => !known.has(name));
  assert.deepEqual(
    missing.map(
      ({file, name, purpose}) => `${file} uses ${name}: no package for ${purpose} has it`,
    ),
    [],
  );
});

test('every listed package is used for each purpose that the list gives it', () => {
  const idle = packages.flatMap(({name, purposes, provides, isReason}) =>
    purposes
      .filter(
        (purpose) =>
          !isReason && !uses.some((use) => use.purpose === purpose && provides.includes(use.name)),
      )
      .map((purpose) => `${name}: nothing of it is used for ${purpose}`),
  );
  assert.deepEqual(idle, []);
});

test('every part of a package that the list names is used', () => {
  const names = new Set(uses.map(({name}) => name));
  assert.deepEqual(
    packages.flatMap(({provides}) => provides.filter((name) => !names.has(name))),
    [],
  );
});

test('the installed packages contain the parts that the list names', () => {
  const fields = ['-W', '-f', '${Package}\t${Pre-Depends},${Depends}\n'];
  const dependencies = new Map(
    query(fields).map((line) => {
      const [name, names = ''] = line.split('\t');
      return [name, names.split(/[,|]/).map((text) => text.trim().replace(/[ :].*/, ''))];
    }),
  );
  // The listed name can be a package that only depends on the one with the files.
  const within = (/** @type {string} */ name) => {
    const reached = new Set([name]);
    for (const each of reached)
      for (const other of dependencies.get(each) ?? []) reached.add(other);
    return reached;
  };
  const listed = packages.filter(({name}) => dependencies.has(name));
  const owners = query(['-S', ...listed.flatMap(({provides}) => provides).map(pathOf)]);
  for (const {name, provides} of listed) {
    const parts = within(name);
    for (const provided of provides) {
      const isOwned = owners.some((line) => {
        const [owner, path] = line.split(': ');
        return (
          path?.includes(provided) &&
          owner.split(', ').some((each) => parts.has(each.split(':')[0]))
        );
      });
      assert(isOwned, `${name} has no ${provided}`);
    }
  }
});

/** Gives the path of a package's program or module, or a pattern for dpkg. @param {string} name */
const pathOf = (name) =>
  ['', '/usr/bin/', '/usr/sbin/', '/usr/lib/python3/dist-packages/']
    .map((folder) => folder + name)
    .find((path) => path.startsWith('/') && existsSync(path)) ?? `*/${name}*`;

test('commands of a shell script are found wherever they are', () => {
  const script = `
# comment with grep
list=(not these words)
run() { local x; "$@" || one --flag; }
case "$1" in
  install | remove) two ;;
  *) $as_root three >four 2>&1 ;;
esac
found=$(five "$(six a)" | seven -P 2 | xargs -P 2 eight) && ! nine
if [ -f ten ] || [[ $a =~ eleven ]]; then X=1 env Y="$(twelve)" thirteen; fi
cat <<'END'
fourteen
END
echo "fifteen $(( sixteen + 1 )) \${a:-$(seventeen)}" 'eighteen' <nineteen
`;
  const found = [...shellCommands(script)].filter((name) => !builtins.has(name)).sort();
  assert.deepEqual(found, 'cat eight env five nine one seven seventeen six thirteen three twelve two xargs'.split(' ')); // prettier-ignore
});
