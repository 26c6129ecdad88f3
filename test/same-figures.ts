// Figures that stand in two places: what people read or a form asks, and the rule that keeps it.
const settling_time = [
  'src/permissions/second-person.sql',
  /return interval '(\d+) hours'/,
] as const
const fresh_time = [
  'src/permissions/actor.sql',
  /m\.at > now\(\) - interval '(\d+) minutes'/,
] as const
const overlap_hours = ['src/connections/keys.sql', /overlap_hours between 0 and (\d+)/] as const
const failing_days = [
  'src/connections/webhooks/sending.sql',
  /failing_since < now\(\) - interval '(\d+) days'/,
] as const
const most_rows = ['src/employees/imports/imports.contract.ts', /rows: ([\d_]+)/] as const
const most_entries = ['src/lib/csv.ts', /csv_entries_max = ([\d_]+)/] as const
const most_postings = ['src/books/books.server.ts', /postings_max = ([\d_]+)/] as const
const account_new_days = [
  'src/payouts/accounts.sql',
  /b\.changed_at > now\(\) - interval '(\d+) days'/,
] as const
const alert_marks = [
  'src/funds/alerts.sql',
  /cross join \(values \((\d+)\), \((\d+)\), \((\d+)\)\) m \(percent\)/,
] as const
const year_made_days = ['src/funds/plans/plan-years.sql', /ends_on - (\d+) <= today/] as const
const minutes_seen = [
  'src/system/system.sql',
  /minute > now\(\) - interval '(\d+) minutes'/,
] as const

export const same_figures: [page: string, RegExp, source: string, RegExp][] = [
  ['src/funds/plans/AddYear.tsx', /plan year (\d+) days before/, ...year_made_days],
  ['src/funds/plans/AddYear.tsx', /after it (\d+) days before/, ...year_made_days],
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
  ['src/employees/lists/LeaverLimit.tsx', /In (\d+) hours/, ...settling_time],
  ['src/auth/ProvenForm.tsx', /works for (\d+) minutes/, ...fresh_time],
  [
    'src/permissions/actor.sql',
    /m\.at > now\(\) - interval '(\d+) minutes'/,
    'src/gotrue/proofs.server.ts',
    /FRESH_SECONDS = (\d+) \* 60/,
  ],
  ['src/auth/provider-confirmation.ts', /works for (\d+) minutes/, ...fresh_time],
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
    /at most (\d+) webhooks/,
    'src/connections/webhooks/webhooks.sql',
    /count\(\*\) >= (\d+) from webhooks/,
  ],
  [
    'src/connections/problems.ts',
    /At most (\w+) codes a day/,
    'src/connections/domains/domains.sql',
    /'postmaster of ' \|\| k\.domain, (\d+),/,
  ],
  ['src/connections/RenewSecret.tsx', /'(\d+)': 'For 30 days'/, ...overlap_hours],
  ['src/connections/connections.contract.ts', /overlap_hours: .*max\((\d+)\)/, ...overlap_hours],
  [
    'src/connections/webhooks/webhooks.contract.ts',
    /overlap_hours: .*max\((\d+)\)/,
    ...overlap_hours,
  ],
  ['src/connections/webhooks/WebhookLine.tsx', /accepted nothing for (\w+) days/, ...failing_days],
  ['src/connections/webhooks/WebhookLine.tsx', /After (\w+) days it stops/, ...failing_days],
  [
    'src/connections/sources/source-words.ts',
    /longer than (\w+) minutes/,
    'src/connections/sources/fetching.server.ts',
    /most_ms = (\d+) \* 60_000/,
  ],
  [
    'src/connections/sources/source-words.ts',
    /larger than (\d+) MB/,
    'src/employees/imports/imports.contract.ts',
    /bytes: (\d+) \* 1024 \* 1024/,
  ],
  [
    'src/problems.ts',
    /more than ([\d,]+) people/,
    'src/employees/many/many.server.ts',
    /most_chosen = ([\d_]+)/,
  ],
  [
    'src/problems.ts',
    /parent is at least (\d+) years old and a spouse (\d+)/,
    'src/dependents/dependents.sql',
    /'parent' then (\d+) when 'spouse' then (\d+)/,
  ],
  [
    'src/connections/problems.ts',
    /at most (\d+) more domains/,
    'src/connections/domains/domains.sql',
    />= (\d+) then\s+perform private\.refuse\('too_many_domains'/,
  ],
  [
    'src/problems.ts',
    /your data (\d+) times within (\d+) hours/,
    'src/privacy/export.sql',
    /interval '(\d+) hours'\) >= (\d+)\s+then 'exports_used_up'/,
  ],
  [
    'src/claims/policies/PolicyEditor.tsx',
    /changed in the last (\d+) months/,
    'src/claims/policies/policies.sql',
    /y\.submitted_at > now\(\) - interval '(\d+) months'/,
  ],
  ['src/auth/SsoPage.tsx', /works for (\d+) minutes/, ...fresh_time],
  ['src/problems.ts', /at most (\d+) months/, 'src/reports/kinds.ts', /months_max = (\d+)/],
  ['src/problems.ts', /more than ([\d,]+) rows/, ...most_rows],
  [...most_rows, 'src/employees/employees.sql', /then 500 else (\d+) end/],
  ['src/funds/problems.ts', /more than ([\d,]+) entries/, ...most_entries],
  ['src/problems.ts', /the ([\d,]+) that one file/, ...most_entries],
  ['src/funds/problems.ts', /at most ([\d,]+) postings/, ...most_postings],
  ['docs/books.md', /at most ([\d,]+) postings/, ...most_postings],
  [
    'src/claims/words.contract.ts',
    /answer_days = (\d+)/,
    'src/claims/jobs.sql',
    /function private\.time_to_answer[^;]*interval '(\d+) days'/,
  ],
  [
    'src/receipts/limits.contract.ts',
    /each_claim: (\d+)/,
    'src/receipts/receipts.sql',
    /function private\.claim_receipts_max[^;]*return (\d+)/,
  ],
  [
    'src/receipts/limits.contract.ts',
    /unattached: (\d+)/,
    'src/receipts/receipts.sql',
    /function private\.unattached_receipts_max[^;]*return (\d+)/,
  ],
  [
    'src/claims/claims.contract.ts',
    /most_lines = (\d+)/,
    'src/claims/lines.sql',
    /cardinality\(claimed\) > (\d+)/,
  ],
  [
    'src/problems.ts',
    /less than (\d+) years ago/,
    'db/011_dependents.sql',
    /born_too_long_ago check \(born_on > added_on - interval '(\d+) years'\)/,
  ],
  [
    'docs/family.md',
    /born in the future or (\d+) years ago/,
    'db/011_dependents.sql',
    /born_too_long_ago check \(born_on > added_on - interval '(\d+) years'\)/,
  ],
  [
    'src/problems.ts',
    /more than ([\d,]+) times/,
    'src/health-checks/setting-up.server.ts',
    /slots_at_once = ([\d_]+)/,
  ],
  ['src/payouts/RunSheet.tsx', /changed in the last (\d+) days/, ...account_new_days],
  ['docs/payouts.md', /given or changed within (\d+) days/, ...account_new_days],
  ['src/landing/LandingSections.tsx', /alerts at (\d+), (\d+) and (\d+) percent/, ...alert_marks],
  [
    'src/dashboards/fund-notices.ts',
    /high_percent = (\d+)/,
    'src/funds/alerts.sql',
    /cross join \(values \((\d+)\)/,
  ],
  [
    'src/connections/problems.ts',
    /at most ([\d,]+) operations/,
    'src/connections/scim/patch.ts',
    /operations_max = ([\d_]+)/,
  ],
  [
    'docs/privacy.md',
    /more than ([\d,]+) entries, mails, rows and messages/,
    'src/privacy/what-goes.sql',
    /when sum\(g\.items\) > (\d+)/,
  ],
  ['src/system/verdict.ts', /length: (\d+) \}/, ...minutes_seen],
  ['src/system/verdict.ts', /No requests in the last (\d+) minutes/, ...minutes_seen],
  ['src/system/verdict.ts', /'fault'\)\} in the last (\d+) minutes/, ...minutes_seen],
  ['src/dashboards/HealthCells.tsx', /each of the last (\d+) minutes/, ...minutes_seen],
]
