import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/**
 * Serves a folder as a plain static host does, below `/some/path/` to show that the page works
 * from any folder.
 *
 * @param {string} folder
 */
export async function serve(folder) {
  const prefix = '/some/path/';
  const server = createServer(async (request, response) => {
    const {pathname} = new URL(request.url ?? '/', 'http://localhost');
    const relative = normalize(decodeURIComponent(pathname.slice(prefix.length))) || 'index.html';
    const file = join(folder, relative === '.' ? 'index.html' : relative);
    const found = pathname.startsWith(prefix) && file.startsWith(folder);
    const size = found && (await stat(file).catch(() => null))?.size;
    if (!size) {
      response.writeHead(404).end();
      return;
    }
    const type = types[/** @type {keyof types} */ (extname(file))] ?? 'application/octet-stream';
    response.writeHead(200, {'content-type': type, 'content-length': size});
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, 'localhost', () => resolve(undefined)));
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${port}${prefix}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
