// The findings of the doctor's checks.

export type DoctorFinding = {
  what: string
  state: 'good' | 'look' | 'wrong'
  text: string
  to_do?: string
  ends_here?: boolean
}

export const good = (what: string, text: string): DoctorFinding => ({ what, state: 'good', text })
export const warn = (what: string, text: string, to_do: string): DoctorFinding => ({
  what,
  state: 'look',
  text,
  to_do,
})
export const wrong = (what: string, text: string, to_do: string): DoctorFinding => ({
  ...warn(what, text, to_do),
  state: 'wrong',
})
