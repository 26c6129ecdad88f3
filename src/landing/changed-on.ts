/** When the text of each page changed last: what its readers are told as its version. */
export const changed_on = { privacy: '26 November 2026', terms: '26 November 2026' }
