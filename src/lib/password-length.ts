// How long a password is, for whoever asks for one and whoever takes it.
export const password_length = { least: 8, most: 72 } as const
export const password_too_short = `Password must be at least ${password_length.least} characters`
