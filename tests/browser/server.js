import {open, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';

/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/** Finds a port that nobody listens at. @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, 'localhost', () => {
      const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** A path that is not escaped UTF-8 stays as it is, and names no file. @param {string} escaped */
function readable(escaped) {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/** The site lies below the root, to show that the page works from any folder of a host. */
const prefix = '/some/path/';

/**
 * Serves a folder as a plain static host does.
 *
 * @param {string} folder
 * @param {(name: string) => Record<string, string>} [headersOf]  more headers, by the file's name
 */
export async function serve(folder, headersOf = () => ({})) {
  /** A test changes these. Files of models and of saved pictures stop half-way until `gate` is resolved. */
  const faults = {gate: Promise.resolve(), missingModel: false, workerPrelude: ''};

  const server = createServer(async (request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost');
    const name = normalize(readable(pathname.slice(prefix.length)) || 'index.html');
    const isModel = name.endsWith('.safetensors');
    const path = join(folder, name);
    const found =
      pathname.startsWith(prefix) &&
      !name.startsWith('..') &&
      !(isModel && faults.missingModel) &&
      (await stat(path).catch(() => null))?.isFile();
    if (!found) return response.writeHead(404).end();

    const prelude = /worker.*\.js$/.test(name) ? faults.workerPrelude : '';
    const file = await open(path);
    const bytes = Buffer.concat([Buffer.from(prelude), await file.readFile()]);
    await file.close();
    response.writeHead(200, {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'content-length': bytes.length,
      ...headersOf(name),
    });
    const half = isModel ? bytes.length / 2 : 0;
    response.write(bytes.subarray(0, half));
    if (isModel || name.endsWith('.json')) await faults.gate;
    response.end(bytes.subarray(half));
  });

  await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(undefined)));
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${port}${prefix}`,
    faults,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
