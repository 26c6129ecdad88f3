/** Receipt ids as one text, so that the form's draft keeps them: a reload loses no upload. */
export const idsIn = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(',').filter(Boolean) : []
