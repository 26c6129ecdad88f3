// The life of mailed links and codes, for the server that makes them and the pages that say so.
export const link_seconds = 3600
export const invitation_seconds = 7 * 86_400

/** A time in words, as mails and pages say how long a link works. */
export const lasts = (seconds: number) =>
  seconds >= 172_800
    ? `${Math.round(seconds / 86_400)} days`
    : seconds >= 7200
      ? `${Math.round(seconds / 3600)} hours`
      : seconds >= 3600
        ? 'one hour'
        : `${Math.max(1, Math.round(seconds / 60))} minutes`

export const deadLink = (seconds: number) =>
  `It has expired or was already used. Links work once, for ${lasts(seconds)}.`
