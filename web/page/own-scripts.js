/**
 * The page's Content-Security-Policy lets no text become a script, and none HTML but what Lit renders. A worker is started
 * by the address of its script, which is such a text: it must be of the page's own origin.
 */

/** @import {TrustedTypePolicyFactory} from 'trusted-types/lib' */

const {trustedTypes} = /** @type {{trustedTypes?: TrustedTypePolicyFactory}} */ (
  /** @type {unknown} */ (globalThis)
);

trustedTypes?.createPolicy('default', {
  createScriptURL(address) {
    if (new URL(address, document.baseURI).origin === location.origin) return address;
    throw new Error(`expected a script of ${location.origin}, found ${address}`);
  },
});
