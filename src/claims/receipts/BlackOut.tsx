import { Hand, SquarePlus, Trash2 } from 'lucide-react'
import { useRef, useState, type RefObject } from 'react'
import { receipts_api } from '#api/receipts-api.ts'
import { receipt_limits } from '#receipts/limits.contract.ts'
import type { Receipt } from '#receipts/receipts.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { showFailure } from '#ui/failure.ts'
import { counted } from '#ui/figures.ts'
import { newBox, placeOfBox, type PlacedBox } from './black-boxes.ts'
import { BlackOutPage, type Boxes } from './BlackOutPage.tsx'
import { zooms } from './page-room.ts'
import { Pages, Zooms } from './PageButtons.tsx'

type Props = { receipt: Receipt | undefined; onClose: () => void }

/** Boxes are drawn over what HR needn't see, and burnt into the file. */
export function BlackOut({ receipt, onClose }: Props) {
  return receipt && <Opened key={receipt.id} receipt={receipt} onClose={onClose} />
}

function Opened({ receipt, onClose }: { receipt: Receipt; onClose: () => void }) {
  const black_out = useWrite(receipts_api.black_out, 'Parts blacked out')
  const add = useRef<HTMLButtonElement>(null)
  const boxes = useBoxes(() => add.current?.focus())
  const { all } = boxes
  const [leaving, setLeaving] = useState(false)
  const leave = () => (all.length > 0 ? setLeaving(true) : onClose())
  const apply = async () => {
    const { id, blacked_times } = receipt
    const parts = all.map(({ page, left, top, width, height }) => ({
      page,
      left,
      top,
      width,
      height,
    }))
    await black_out.submit({ id, blacked_times, parts }).then(onClose, showFailure)
  }
  return (
    <Dialog
      wide
      open
      onClose={() => black_out.pending || leave()}
      title="Black out parts"
      description="Draw boxes over what HR needn’t see. What is under them is removed permanently."
      actions={
        <>
          <Button disabled={black_out.pending} onClick={leave}>
            Cancel
          </Button>
          <Button
            variant="primary"
            loading={black_out.pending}
            disabled={all.length === 0}
            unless={receipt.refusals.black_out}
            onClick={() => void apply()}
          >
            {black_out.pending ? 'Blacking out...' : 'Apply'}
          </Button>
        </>
      }
    >
      <Editor receipt={receipt} boxes={boxes} add={add} />
      <ConfirmDialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title={`Discard ${counted(all.length, 'box', 'boxes')}?`}
        description="Nothing has been blacked out yet."
        does="Discard"
        keep="Keep drawing"
        act={() => Promise.resolve(onClose())}
      />
    </Dialog>
  )
}

function useBoxes(onGone: () => void): Boxes {
  const [all, setAll] = useState<readonly PlacedBox[]>([])
  const [chosen, choose] = useState<number>()
  return {
    all,
    chosen,
    choose,
    put(box) {
      const known = all.some(({ key }) => key === box.key)
      if (!known && all.length >= receipt_limits.parts) return
      setAll(known ? all.map((one) => (one.key === box.key ? box : one)) : [...all, box])
      choose(box.key)
    },
    remove(key) {
      setAll(all.filter((one) => one.key !== key))
      choose(undefined)
      onGone()
    },
  }
}

type EditorProps = {
  receipt: Receipt
  boxes: Boxes
  add: RefObject<HTMLButtonElement | null>
}

function Editor({ receipt, boxes, add }: EditorProps) {
  const [page, setPage] = useState(1)
  const [step, setStep] = useState(0)
  const [scrolls, setScrolls] = useState(false)
  const [again, setAgain] = useState(0)
  const { all, chosen } = boxes
  const one = all.find(({ key }) => key === chosen)
  return (
    <div className="flex flex-col gap-2">
      <div role="toolbar" aria-label="Boxes" className="flex flex-wrap items-center gap-1">
        <Button
          ref={add}
          size="small"
          icon={SquarePlus}
          disabled={all.length >= receipt_limits.parts}
          onClick={() => boxes.put(newBox(page, all.filter((box) => box.page === page).length))}
        >
          Add a box
        </Button>
        <IconButton
          size="small"
          label="Remove box"
          disabled={!one}
          icon={Trash2}
          onClick={() => one && boxes.remove(one.key)}
        />
        <span className="ml-auto" />
        <Zooms step={step} onStep={setStep} />
        {step > 0 && (
          <IconButton
            size="small"
            label="Move the page"
            aria-pressed={scrolls}
            className="pointer-fine:hidden aria-pressed:bg-primary-wash"
            icon={Hand}
            onClick={() => setScrolls(!scrolls)}
          />
        )}
      </div>
      <BlackOutPage
        key={`${page} ${again}`}
        receipt={receipt}
        page={page}
        zoom={zooms[step] ?? 1}
        scrolls={scrolls && step > 0}
        boxes={boxes}
        onRetry={() => setAgain(again + 1)}
      />
      <div className="flex min-h-8 items-center justify-between gap-3">
        <p className="text-ui text-soft">
          {countText(all)}
          {receipt.refusals.black_out === 'receipt_being_read' && ' Being read first…'}
        </p>
        <Pages
          page={page}
          pages={receipt.pages}
          onPage={(to) => {
            boxes.choose(undefined)
            setPage(to)
          }}
        />
      </div>
      <p id="black-out-keys" className="text-ui text-faint pointer-coarse:sr-only">
        Keyboard: arrow keys move a box, Shift and arrow keys resize it, Delete removes it.
      </p>
      <output className="sr-only">{one && placeOfBox(one)}</output>
    </div>
  )
}

/** How many boxes there are and on which pages: those out of sight would be forgotten. */
function countText(all: readonly PlacedBox[]) {
  const pages = [...new Set(all.map(({ page }) => page))].toSorted((a, b) => a - b)
  if (pages.length === 0) return 'No box yet.'
  return `${counted(all.length, 'box', 'boxes')} on ${pages.length === 1 ? 'page' : 'pages'} ${pages.join(', ')}.`
}
