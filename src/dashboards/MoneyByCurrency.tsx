import { system_api } from '#api/system-api.ts'
import { useRead } from '#ui/ask.ts'
import { Bar } from '#ui/Bar.tsx'
import { Card } from '#ui/Card.tsx'
import { count } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { NotShown } from '#ui/NotShown.tsx'
import { Table } from '#ui/Table.tsx'

/** Currencies are never added. The cards show the one that most companies have; here are all of them. */
export function MoneyByCurrency() {
  const figures = useRead(system_api.figures, {})
  if (!figures || figures.money.length < 2) return null
  return (
    <Card flush title="Funds by currency">
      <Table
        label="Funds by currency"
        rows={figures.money.map((sums) => ({ ...sums, id: sums.currency }))}
        empty={null}
        columns={{
          Currency: ({ currency }) => currency,
          Companies: { end: true, cell: ({ companies }) => count(companies) },
          Managed: {
            end: true,
            cell: ({ managed_cents, currency }) => (
              <Money cents={managed_cents} currency={currency} whole />
            ),
          },
          Used: {
            end: true,
            cell: ({ used_cents, currency }) =>
              used_cents === null ? (
                <NotShown />
              ) : (
                <Money cents={used_cents} currency={currency} whole />
              ),
          },
          Utilization: {
            end: true,
            cell: ({ percent, currency }) =>
              percent === null ? (
                <span className="text-faint">–</span>
              ) : (
                <span className="flex items-center justify-end gap-2">
                  <span className="w-16 shrink-0 max-sm:hidden">
                    <Bar percent={percent} label={`${currency}: used`} />
                  </span>
                  <span className="figures whitespace-nowrap sm:w-12">{`${percent}%`}</span>
                </span>
              ),
          },
        }}
      />
    </Card>
  )
}
