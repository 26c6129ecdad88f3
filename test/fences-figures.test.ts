// A figure that is said to people is the one that is asked: of each pair the text and the rule.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read } from './sources.ts'

describe('a figure that people read', () => {
  const settling_time = ['src/users/admins.sql', /return interval '(\d+) hours'/] as const
  const figures: [said: string, RegExp, asked: string, RegExp][] = [
    [
      'src/funds/plans/AddYear.tsx',
      /plan year (\d+) days before/,
      'src/funds/plans/plan-years.sql',
      /ends_on - (\d+) <= today/,
    ],
    [
      'src/employees/FamilyRules.tsx',
      /notified (\d+), (\d+) and (\d+) days/,
      'src/dependents/dependents.sql',
      /then (\d+)\s+when a\.last_day - today <= (\d+) then \d+ else (\d+) end as days/,
    ],
    [
      'src/claims/review/RestrictedReceipts.tsx',
      /closes after (\d+) minutes/,
      'src/receipts/receipts.sql',
      /o\.at > now\(\) - interval '(\d+) minutes'/,
    ],
    [
      'src/problems.ts',
      /No more than (\d+) dependents/,
      'src/dependents/dependents.sql',
      />= (\d+)\s+then\s+perform private\.refuse\('too_many_dependents'/,
    ],
    [
      'src/problems.ts',
      /have (\d+) views/,
      'src/views/views.sql',
      />= (\d+) then\s+perform private\.refuse\('too_many_views'/,
    ],
    ['src/claims/problems.ts', /for (\d+) hours after a right/, ...settling_time],
    ['src/employees/lists/LeaveShare.tsx', /In (\d+) hours/, ...settling_time],
    [
      'src/auth/PasswordDialog.tsx',
      /works for (\d+) minutes/,
      'src/permissions/actor.sql',
      /m\.at > now\(\) - interval '(\d+) minutes'/,
    ],
    [
      'docs/claims.md',
      /one appeal within (\d+) days/,
      'src/claims/rules/refusals.sql',
      /c\.reviewed_at [^+]+ \+ (\d+)\)/,
    ],
    [
      'src/connections/problems.ts',
      /at most (\d+) API keys/,
      'src/connections/keys.sql',
      /count\(\*\) >= (\d+) from api_keys/,
    ],
    [
      'src/connections/problems.ts',
      /at most (\d+) more domains/,
      'src/connections/domains/domains.sql',
      />= (\d+) then\s+perform private\.refuse\('too_many_domains'/,
    ],
    [
      'src/problems.ts',
      /your data (\d+) times today/,
      'src/privacy/export.sql',
      />= (\d+) then\s+perform private\.refuse\('exports_used_up'/,
    ],
    ['src/problems.ts', /at most (\d+) months/, 'src/reports/kinds.ts', /months_max = (\d+)/],
  ]
  test('is the one that is asked', () => {
    for (const [said, text, asked, rule] of figures)
      assert.deepEqual(
        text.exec(read(said))!.slice(1).toSorted(),
        rule.exec(read(asked))!.slice(1).toSorted(),
        `${said} and ${asked}`,
      )
  })
})
