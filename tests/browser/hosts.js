import {spawn} from 'node:child_process';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {eventually} from '../support/eventually.js';
import {freePort} from './server.js';

const BROTLI_MODULE = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const example = (/** @type {string} */ name) =>
  readFile(new URL(`../../scripts/hosting/${name}`, import.meta.url), 'utf8');

/**
 * A web server for which the repository has an example configuration.
 *
 * @typedef {object} Host
 * @property {string} name
 * @property {(folder: string, port: number) => Promise<{command: string, args: string[], env?: Record<string, string>}>} prepare
 *   prepares the example to run as the user who runs the tests, and to write only in the folder
 */

/** @type {readonly Host[]} */
export const hosts = [
  {
    name: 'nginx',
    async prepare(folder, port) {
      const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
      const config = (await example('nginx.conf'))
        .replace('listen 8080', `listen ${port}`)
        .replace('/srv/bertscope', site)
        .replace('modules/ngx_http_brotli_static_module.so', BROTLI_MODULE)
        .replace('http {', `http { access_log off; ${paths}`);
      const file = join(folder, 'nginx.conf');
      await writeFile(
        file,
        `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors;\n${config}`,
      );
      const args = ['-p', folder, '-e', `${folder}/errors`, '-c', file];
      return {command: '/usr/sbin/nginx', args};
    },
  },
  {
    name: 'Caddy',
    async prepare(folder, port) {
      const config = (await example('Caddyfile'))
        .replace('bertscope.example.org', `http://localhost:${port}`)
        .replace('/srv/bertscope', site);
      const file = join(folder, 'Caddyfile');
      await writeFile(file, `{\n\tadmin off\n\tlog {\n\t\tlevel ERROR\n\t}\n}\n${config}`);
      return {
        command: '/usr/bin/caddy',
        args: ['run', '--config', file, '--adapter', 'caddyfile'],
        env: {XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder},
      };
    },
  },
];

/** @param {Host} host */
export async function startHost(host) {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'bertscope-host-'));
  const {command, args, env} = await host.prepare(folder, port);
  const server = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {...process.env, ...env},
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const url = `http://localhost:${port}/`;
  await eventually(`${host.name} to answer at ${url}`, () =>
    fetch(url).catch(({message}) => {
      throw new Error(`${message}; it said: ${said}`);
    }),
  );
  return {
    url,
    async close() {
      server.kill();
      await rm(folder, {recursive: true, force: true});
    },
  };
}
