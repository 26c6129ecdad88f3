/** Saves a file for the person; one read from a standby has the time in its name. */
export function save(file: File & { as_of?: string }) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.as_of
    ? file.name.replace(/(\.\w+)$/, `, as of ${momentOf(file.as_of)}$1`)
    : file.name
  link.click()
  // The browser reads it in its own time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** `2026-11-24 02.15.07 UTC`: no system takes colons. */
const momentOf = (as_of: string) =>
  `${as_of.slice(0, 19).replace('T', ' ').replaceAll(':', '.')} UTC`
