/** The model of the notebooks, by its name on the hub. */
export const bertBase = 'hub:google-bert/bert-base-uncased';
