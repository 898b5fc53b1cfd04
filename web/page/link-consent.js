import {pageConsent} from '../session/consent.js';
import {pageEngine} from '../session/shared-models.js';

/** Makes the page ask before a link fetches from another host. It must be called before the address is read. */
export function askBeforeFetching() {
  pageConsent.isKept = async (source) => {
    const {models} = await pageEngine.use((engine) => engine.kept());
    return models.some((kept) => kept.source === source);
  };
}
