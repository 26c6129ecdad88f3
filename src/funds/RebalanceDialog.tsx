import { clsx } from 'clsx'
import { ArrowRight, Lock, LockOpen } from 'lucide-react'
import { Slider } from 'radix-ui'
import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { categories, type Category, categoryNames, categorySpots } from '#categories.ts'
import { decimalsOf } from '#lib/currencies.ts'
import { decimal, parseAmount } from '#lib/money.ts'
import { useActKey } from '#ui/act-key.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DialogButtons } from '#ui/DialogButtons.tsx'
import { inlineInputStyles } from '#ui/Field.tsx'
import { money, signedMoney } from '#ui/figures.ts'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { Money } from '#ui/Money.tsx'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import type { CategoryFund, FundOverview } from './funds.contract.ts'
import { asAmounts, movesBetween, pull, sumOfPools, type Pools } from './pools.ts'
import { Note } from './terms.contract.ts'

type Props = { funds: FundOverview; onClose: () => void }

const Reason = z.object({ note: Note })

export function RebalanceDialog({ funds, onClose }: Props) {
  const [at_open] = useState(() => poolsOf(funds))
  const [targets, setTargets] = useState(at_open)
  const [kept, setKept] = useState<Category>()
  const key = useActKey()
  const rebalance = useWrite(api.funds.rebalance)
  const undo = useWrite(api.funds.undo_rebalance, 'Rebalance undone')
  const { currency, plan_year } = funds
  const moves = movesBetween(at_open, targets)
  const send = async ({ note }: z.output<typeof Reason>) => {
    const input = { plan_year, expected: asAmounts(at_open), targets: asAmounts(targets), note }
    const done = await rebalance.submit(input, { idempotency_key: key.of(input) })
    const run = () => undo({ id: done.id })
    toast('Fund rebalancing initiated', 'success', { label: 'Undo', run })
    onClose()
  }
  const sum = sumOfPools(at_open)
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Rebalance"
      description={`Only money that has not been granted can move: ${money(sum, currency)} in three pools.`}
    >
      {sum === 0 ? (
        <Callout>The pools are empty. Allocate money to a category first.</Callout>
      ) : (
        <Form name={`rebalance:${plan_year}`} shape={Reason} onSubmit={send}>
          <div className="flex flex-col gap-4">
            {funds.categories.map((fund) => (
              <PoolSlider
                key={fund.category}
                fund={fund}
                currency={currency}
                now={at_open[fund.category]}
                target={targets[fund.category]}
                sum={sum}
                kept={kept === fund.category}
                onKeep={(keep) => setKept(keep ? fund.category : undefined)}
                onPull={(cents) => setTargets(pull(targets, fund.category, cents, kept))}
              />
            ))}
          </div>
          <Preview moves={moves} currency={currency} />
          <TextField name="note" label="Reason" required hint="Shown on the statement" />
          <DialogButtons>
            <CancelButton onClick={onClose} />
            <Button onClick={() => setTargets(at_open)} disabled={moves.length === 0}>
              Reset
            </Button>
            {moves.length > 0 ? (
              <SubmitButton>Rebalance</SubmitButton>
            ) : (
              <Button variant="primary" unless="nothing_to_move">
                Rebalance
              </Button>
            )}
          </DialogButtons>
        </Form>
      )}
    </Dialog>
  )
}

const poolsOf = ({ categories: funds }: FundOverview): Pools => {
  const free = (category: Category) => funds.find((f) => f.category === category)?.free_cents ?? 0
  return Object.fromEntries(categories.map((c) => [c, free(c)])) as Pools
}

type SliderProps = {
  fund: CategoryFund
  currency: string
  now: number
  target: number
  sum: number
  /** This pool stays as it is while the other two change. */
  kept: boolean
  onKeep: (keep: boolean) => void
  onPull: (cents: number) => void
}

function PoolSlider(props: SliderProps) {
  const { fund, currency, now, target, sum, kept, onKeep, onPull } = props
  const name = categoryNames[fund.category]
  const change = target - now
  return (
    <div className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="flex items-center gap-2 text-sm font-semibold">
            <span
              aria-hidden
              className={clsx('size-2.5 rounded-full', categorySpots[fund.category])}
            />
            {name}
          </p>
          <p className="mt-0.5 text-ui text-soft">
            {`Granted ${money(fund.granted_cents, currency)} · used ${money(fund.used_cents, currency)}`}
          </p>
        </div>
        <div className="flex items-center gap-3">
          <Change cents={change} currency={currency} />
          <ExactAmount
            name={name}
            currency={currency}
            cents={target}
            disabled={kept}
            onChange={onPull}
          />
          <IconButton
            size="small"
            label={kept ? `Let ${name} change` : `Keep ${name} as it is`}
            icon={kept ? Lock : LockOpen}
            onClick={() => onKeep(!kept)}
          />
        </div>
      </div>
      <Slider.Root
        min={0}
        max={sum}
        step={Math.max(1, Math.round(sum / 200))}
        value={[target]}
        disabled={kept}
        onValueChange={([cents = 0]) => onPull(cents)}
        className={sliderStyles}
      >
        <Slider.Track className="relative h-2 flex-1 overflow-hidden rounded-full bg-pressed">
          <Slider.Range className={clsx('absolute h-full', categorySpots[fund.category])} />
        </Slider.Track>
        <Slider.Thumb
          aria-label={`${name} pool`}
          aria-valuetext={money(target, currency)}
          className={clsx(
            'block size-5 rounded-full border-2 border-raised shadow-raised',
            categorySpots[fund.category],
          )}
        />
      </Slider.Root>
    </div>
  )
}

const sliderStyles = clsx(
  'relative mt-3 flex h-6 w-full cursor-pointer touch-none items-center select-none',
  'data-disabled:cursor-not-allowed data-disabled:opacity-50',
)

const Change = ({ cents, currency }: { cents: number; currency: string }) => (
  <span
    className={clsx(
      'figures text-ui font-medium',
      cents > 0 ? 'text-good-ink' : cents < 0 ? 'text-accent-ink' : 'text-faint',
    )}
  >
    {cents === 0 ? 'no change' : signedMoney(cents, currency)}
  </span>
)

type ExactProps = {
  name: string
  currency: string
  cents: number
  disabled: boolean
  onChange: (cents: number) => void
}

/** A field for the exact amount, beside the slider. */
function ExactAmount({ name, currency, cents, disabled, onChange }: ExactProps) {
  const [typed, setTyped] = useState<string>()
  const take = (text: string) => {
    setTyped(text)
    const amount = parseAmount(text, currency)
    if ('cents' in amount) onChange(amount.cents)
  }
  return (
    <input
      aria-label={`${name} pool, amount`}
      inputMode="decimal"
      disabled={disabled}
      value={typed ?? grouped(cents, currency)}
      onFocus={() => setTyped(decimal(cents, currency))}
      onChange={(event) => take(event.target.value)}
      onBlur={() => setTyped(undefined)}
      className={clsx(inlineInputStyles, 'figures w-32 text-right')}
    />
  )
}

/** An amount with its thousands apart, so that it can be read. */
function grouped(cents: number, currency: string) {
  const digits = decimalsOf(currency)
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return (cents / 10 ** digits).toLocaleString(undefined, format)
}

type PreviewProps = { moves: ReturnType<typeof movesBetween>; currency: string }

const Preview = ({ moves, currency }: PreviewProps) => (
  <div aria-live="polite" className="min-h-12 rounded-card bg-sunken px-4 py-3 text-sm">
    {moves.length === 0 ? (
      <p className="text-soft">Drag a slider or type an amount; the total stays the same.</p>
    ) : (
      <ul className="flex flex-col gap-1">
        {moves.map(({ from, to, cents }) => (
          <li key={from + to} className="flex flex-wrap items-center gap-x-2">
            {categoryNames[from]}
            <ArrowRight className="size-3.5 text-faint" aria-label="to" />
            {categoryNames[to]}
            <span className="ml-auto font-medium">
              <Money cents={cents} currency={currency} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </div>
)
