// The findings of the doctor's checks.

export type DoctorFinding = {
  what: string
  state: 'good' | 'look' | 'wrong'
  says: string
  to_do?: string
  ends_here?: boolean
}

export const good = (what: string, says: string): DoctorFinding => ({ what, state: 'good', says })
export const look = (what: string, says: string, to_do: string): DoctorFinding => ({
  what,
  state: 'look',
  says,
  to_do,
})
export const wrong = (what: string, says: string, to_do: string): DoctorFinding => ({
  ...look(what, says, to_do),
  state: 'wrong',
})
