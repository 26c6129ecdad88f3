// The rights of a key, in words.
import type { BadgeTone } from '#ui/Badge.tsx'
import type { ApiKey, Right } from './connections.contract.ts'

export const rightWords: Record<Right, [label: string, hint: string]> = {
  'people:read': ['Read employees', 'Names, addresses, departments, first and last days.'],
  'people:write': [
    'Change employees',
    'Add, edit, suspend, set a last day, send employee files. Includes reading.',
  ],
  'people:provision': [
    'Provision by SCIM',
    'Your identity provider adds, changes and removes employees.',
  ],
  'funds:read': ['Read funds', 'Totals, balances by person, use by month.'],
  'claims:read': [
    'Read claims, without health content',
    'Amounts and states only: never what a claim was for.',
  ],
}

export const stateWords: Record<ApiKey['state'], [word: string, tone: BadgeTone]> = {
  active: ['Active', 'good'],
  expired: ['Ended', 'neutral'],
  revoked: ['Revoked', 'neutral'],
  maker_gone: ['Stopped', 'bad'],
}
