/** The address of the large model that a reader may choose for most of the steps. */
export const bertBase = 'hub:google-bert/bert-base-uncased';
