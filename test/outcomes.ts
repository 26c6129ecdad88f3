// Acts that were sent at the same moment: the answers of those that were done, the codes of those refused.
export const won = <T>(all: readonly PromiseSettledResult<T>[]): T[] =>
  all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))

export const lost = (all: readonly PromiseSettledResult<unknown>[]): string[] =>
  all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code as string] : []))
