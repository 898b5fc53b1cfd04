import {forgiveEnds, hasEndedOften} from './ended-models.js';
import {liveStrings} from '../strings/live.js';
import {parseHubAddress} from '../engine/hub-address.js';
import {shorten} from '../engine/json.js';

const words = liveStrings.running.consent;

/** The error of an address that the reader has to approve before anything is fetched from its host, or opened again. */
export class ConsentNeeded extends Error {
  code = 'consent-needed';

  /**
   * @param {string} message
   * @param {string} label  the words of the button that approves it
   * @param {() => void} grant  approves it
   */
  constructor(message, label, grant) {
    super(message);
    this.label = label;
    this.grant = grant;
  }
}

/**
 * Decides what may be fetched. An element fetches what its author wrote. A page whose address anyone may write asks its
 * reader first, unless the address is of its own origin or that of a model that the browser keeps. It also asks before it
 * opens a model that has ended its engine twice in a row.
 */
export class Consent {
  /** Whether a source is kept in this browser; null: everything may be fetched. @type {((source: string) => Promise<boolean>) | null} */
  isKept = null;
  /** @type {Set<string>} */
  #approved = new Set();

  /** Approves a source that the reader chose. @param {string} source */
  approve(source) {
    forgiveEnds(source);
    const {host} = placeOf(source) ?? {};
    if (host) this.#approved.add(host);
  }

  /**
   * @param {string} source  the absolute address of a model or a saved picture, or the name of a model
   * @throws {ConsentNeeded}
   */
  async check(source) {
    if (!this.isKept) return;
    if (hasEndedOften(source)) {
      const name = shorten(source.replace(/^kept:/, ''));
      throw new ConsentNeeded(words.ended(name), words.openAgain, () => forgiveEnds(source));
    }
    const place = placeOf(source);
    if (!place || this.#approved.has(place.host) || (await this.isKept(source))) return;
    const {host, name} = place;
    throw new ConsentNeeded(words.asks(name, host), words.allow(host), () =>
      this.#approved.add(host),
    );
  }
}

/** The consent of this page. */
export const pageConsent = new Consent();

/**
 * Returns the host that a source is fetched from, and its name there; null if it is this page's own.
 *
 * @param {string} source
 * @returns {{host: string, name: string} | null}
 */
function placeOf(source) {
  if (/^(kept|given):/.test(source)) return null;
  if (source.startsWith('hub:')) {
    const {endpoint, name, revision} = parseHubAddress(source);
    return {host: new URL(endpoint).host, name: revision === 'main' ? name : `${name}@${revision}`};
  }
  const {protocol, origin, host, pathname} = new URL(source, document.baseURI);
  const isOwn = origin === location.origin || /^(data|blob):$/.test(protocol);
  return isOwn ? null : {host, name: shorten(pathname.slice(1))};
}
