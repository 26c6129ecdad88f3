// A count with its word: on screen as the reader's browser writes numbers, in sentences of the server in English, whatever
// the locale of its machine.

/** '1 claim', '42 claims'. */
export const countedBy =
  (count: (value: number) => string) =>
  (value: number, one: string, many = `${one}s`): string =>
    `${count(value)} ${value === 1 ? one : many}`

const english = new Intl.NumberFormat('en')

export const countInEnglish = (value: number): string => english.format(value)

export const countedInEnglish = countedBy(countInEnglish)
