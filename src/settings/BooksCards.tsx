import { z } from 'zod'
import type { Codes } from '#books/books.contract.ts'
import { itemNames, codeFormatOf, type BookItem } from '#books/words.contract.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'

type CodeGroup = {
  name: string
  title: string
  description: string
  items: readonly BookItem[]
  submit: string
}

const parts: readonly CodeGroup[] = [
  {
    name: 'wage-types',
    title: 'Wage types',
    description: 'What your payroll calls each category.',
    items: ['wage_prevention', 'wage_treatment', 'wage_solidarity', 'wage_correction'],
    submit: 'Save wage types',
  },
  {
    name: 'accounts',
    title: 'Accounts',
    description: 'Where your bookkeeping puts what is approved and paid.',
    items: [
      ...(['expense_prevention', 'expense_treatment', 'expense_solidarity', 'write_off'] as const),
      ...(['payable', 'bank', 'payroll', 'transit'] as const),
    ],
    submit: 'Save accounts',
  },
  {
    name: 'datev',
    title: 'DATEV',
    description: 'Only for journals in DATEV’s format. Your tax consultant knows the numbers.',
    items: ['datev_consultant', 'datev_client', 'datev_digits', 'datev_year'],
    submit: 'Save DATEV',
  },
]

const hints: Partial<Record<BookItem, string>> = {
  wage_correction: 'Withheld or given back after a payment came back.',
  write_off: 'Overpaid, and no longer asked for.',
  payable: 'Approved and not paid yet.',
  bank: 'Payouts leave from it.',
  payroll: 'Paid with the salary.',
  transit: 'Where contributions come from. The same as Bank if they stay there.',
  datev_digits: '4 unless you enter another number.',
  datev_year: '1 for January, unless you enter another number.',
}

/** The codes of the company’s own payroll and bookkeeping. */
export function BooksCards() {
  const codes = useRead(lazy_api.books.codes, {})
  return parts.map((part) => (
    <Card key={part.name} title={part.title} description={part.description}>
      {codes ? <CodeFields part={part} codes={codes} /> : <Skeleton className="h-40 w-full" />}
    </Card>
  ))
}

function CodeFields({
  part: { name, title, items, submit },
  codes,
}: {
  part: CodeGroup
  codes: Codes
}) {
  const change = useWrite(lazy_api.books.change_codes, `${title} saved`)
  const defaults = Object.fromEntries(items.map((item) => [item, codes[item] ?? '']))
  return (
    <Form
      follows
      name={`books-${name}`}
      shape={shapeOf(items)}
      defaults={defaults}
      // Fields not touched here may have been changed by somebody else meanwhile.
      onSubmit={(values) =>
        change.submit(
          Object.fromEntries(
            items
              .map((item) => [item, values[item] ?? ''])
              .filter(([item, code]) => code !== defaults[item ?? '']),
          ),
        )
      }
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {items.map((item) => (
          <TextField
            key={item}
            name={item}
            label={itemNames[item]}
            hint={hints[item]}
            maxLength={20}
            autoComplete="off"
            className="figures"
          />
        ))}
      </div>
      <FormButtons waiting="Saving...">{submit}</FormButtons>
    </Form>
  )
}

const shapeOf = (items: readonly BookItem[]) =>
  z.object(
    Object.fromEntries(
      items.map((item) => [
        item,
        z
          .string()
          .trim()
          .regex(...codeFormatOf(item))
          .optional(),
      ]),
    ),
  )
