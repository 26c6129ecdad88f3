// Workload 6, the money of the dashboards: a company of a hundred thousand with grants beside one of ten thousand.
import { record } from './measure.ts'
import { comparePair, openPair } from './pair.ts'
import { openPool, type BenchStage } from './stage.ts'

const fund_reads = {
  'Funds: the three categories': '/api/funds',
  'company dashboard: balance, utilization, twelve months': '/api/funds/trend',
  'company dashboard: employees': '/api/employees/summary',
  'those who wait for funds': '/api/funds/waiting?limit=10',
  'statement, newest 25': '/api/funds/statement?limit=25',
}

export async function funds(stage: BenchStage, full: boolean) {
  const sql = openPool(stage.url, 2)
  try {
    const pair = await openPair(stage, sql, full)
    const { big, small, people } = pair
    record({
      workload: '6',
      name: `grants of ${people.big} people by a background act, per person, beside ${people.small}`,
      value: big.grants_seconds / people.big,
      unit: 's each',
      baseline: small.grants_seconds / people.small,
      goal: '≤ 1.5',
      holds: (ratio) => ratio <= 1.5,
    })
    for (const [name, path] of Object.entries(fund_reads)) {
      const whose = `${people.big} people beside ${people.small}`
      await comparePair(stage, pair, { workload: '6', name: `${name}, ${whose}`, path })
    }
  } finally {
    await sql.end()
  }
}
