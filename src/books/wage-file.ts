// A released run as payroll programs read it: a line for each person and wage type, then the control sums.
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { decimal } from '#lib/money.ts'

type WageLine = {
  email: string
  full_name: string
  wage_type: string
  cents: number
  by_bank: boolean
  returned: boolean
}
type WageFile = { run_id: number; pay_on: string; currency: string; lines: WageLine[] }

const wage_columns = [
  'Record',
  'Email',
  'Name',
  'Wage type',
  'Amount',
  'Currency',
  'Period',
  'Pay day',
  'Paid by',
  'Payout',
  'Lines',
]

/** Returned payments are no pay: they have no line, but stand among the sums, so that these add up to the run. */
export function wageFile({ run_id, pay_on, currency, lines }: WageFile): string {
  const period = pay_on.slice(0, 7)
  const paid = lines.filter(({ returned }) => !returned)
  const returned = lines.filter((line) => line.returned)
  const sums = (record: string, of: WageLine[], wage_type = '') => [
    record,
    '',
    '',
    wage_type,
    decimal(
      of.reduce((sum, { cents }) => sum + cents, 0),
      currency,
    ),
    currency,
    period,
    pay_on,
    '',
    run_id,
    of.length,
  ]
  const wage_types = [...new Set(paid.map(({ wage_type }) => wage_type))].sort()
  return [
    byte_order_mark + csvLine(wage_columns),
    ...paid.map((line) =>
      csvLine([
        'pay',
        line.email,
        line.full_name,
        line.wage_type,
        decimal(line.cents, currency),
        currency,
        period,
        pay_on,
        line.by_bank ? 'bank file' : 'payroll',
        run_id,
        '',
      ]),
    ),
    ...wage_types.map((wage_type) =>
      csvLine(
        sums(
          'sum',
          paid.filter((line) => line.wage_type === wage_type),
          wage_type,
        ),
      ),
    ),
    csvLine(sums('total', paid)),
    ...(returned.length > 0 ? [csvLine(sums('returned', returned))] : []),
  ].join('')
}
