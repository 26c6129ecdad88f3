import { clsx } from 'clsx'
import {
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
} from 'react'
import type { Receipt } from '#receipts/receipts.contract.ts'
import {
  boxBetween,
  moved,
  placeOfBox,
  pulled,
  type PlacedBox,
  type Corner,
  type Point,
} from './black-boxes.ts'
import { ReceiptPage } from './ReceiptPage.tsx'

export type Boxes = {
  all: readonly PlacedBox[]
  chosen: number | undefined
  choose: (key: number | undefined) => void
  put: (box: PlacedBox) => void
  remove: (key: number) => void
}

type Props = {
  receipt: Receipt
  page: number
  zoom: number
  /** A finger moves the page, and draws nothing. */
  scrolls: boolean
  boxes: Boxes
  onRetry: () => void
}

/** A page of a receipt with the boxes on it, which are drawn, moved and pulled there. */
export function BlackOutPage({ receipt, page, zoom, scrolls, boxes, onRetry }: Props) {
  return (
    <ReceiptPage
      receipt={receipt}
      page={page}
      zoom={zoom}
      label={`Page ${page}`}
      onRetry={onRetry}
      className="h-[54dvh] rounded-card border border-line bg-sunken"
    >
      {() => <Sheet page={page} scrolls={scrolls} boxes={boxes} />}
    </ReceiptPage>
  )
}

type SheetProps = { page: number; scrolls: boolean; boxes: Boxes }
type Drag = { from: Point; box: PlacedBox | undefined; does: 'draw' | 'move' | Corner }

/** Draws or moves a box from wherever the pointer goes down on the page. */
function Sheet({ page, scrolls, boxes }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  const drag = useDrag(sheet, page, boxes)
  const page_boxes = boxes.all.filter((box) => box.page === page)
  return (
    <div
      ref={sheet}
      data-sheet
      className={clsx(
        'absolute inset-0',
        scrolls ? 'touch-auto' : 'cursor-crosshair touch-pinch-zoom',
      )}
      {...(scrolls ? {} : drag)}
    >
      {page_boxes.map((box, at) => (
        <PlacedBox
          key={box.key}
          box={box}
          name={`Box ${at + 1} of ${page_boxes.length}`}
          boxes={boxes}
        />
      ))}
    </div>
  )
}

function useDrag(sheet: RefObject<HTMLDivElement | null>, page: number, boxes: Boxes) {
  const drag = useRef<Drag>(undefined)
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const frame = sheet.current?.getBoundingClientRect()
    if (!frame) return { x: 0, y: 0 }
    return { x: (clientX - frame.left) / frame.width, y: (clientY - frame.top) / frame.height }
  }
  const end = () => (drag.current = undefined)
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      // A second finger or another button draws nothing.
      if (!event.isPrimary || event.button !== 0) return end()
      const target = event.target as HTMLElement
      const button = target.closest<HTMLElement>('[data-box]')
      const box = boxes.all.find(({ key }) => key === Number(button?.dataset['box']))
      button?.focus({ preventScroll: true })
      const does = box ? ((target.dataset['corner'] as Corner | undefined) ?? 'move') : 'draw'
      drag.current = { from: pointOf(event), box, does }
      boxes.choose(box?.key)
      sheet.current?.setPointerCapture(event.pointerId)
      return undefined
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      const begun = drag.current
      if (!begun) return
      const to = pointOf(event)
      const by = { x: to.x - begun.from.x, y: to.y - begun.from.y }
      if (begun.does === 'draw') {
        const drawn = boxBetween(begun.from, to, page, begun.box?.key)
        if (!drawn) return
        begun.box = drawn
        boxes.put(drawn)
      } else if (begun.box) {
        boxes.put(begun.does === 'move' ? moved(begun.box, by) : pulled(begun.box, begun.does, by))
      }
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

const focused = (button: HTMLButtonElement | null) => button?.focus()

const steps: Record<string, Point> = {
  ArrowLeft: { x: -0.01, y: 0 },
  ArrowRight: { x: 0.01, y: 0 },
  ArrowUp: { x: 0, y: -0.005 },
  ArrowDown: { x: 0, y: 0.005 },
}

/** A button, so that it is reached by the keyboard. */
function PlacedBox({ box, name, boxes }: { box: PlacedBox; name: string; boxes: Boxes }) {
  const chosen = boxes.chosen === box.key
  const [fresh] = useState(chosen)
  const press = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = steps[event.key]
    if (step) boxes.put(event.shiftKey ? pulled(box, 'last', step) : moved(box, step))
    else if (event.key === 'Delete' || event.key === 'Backspace') boxes.remove(box.key)
    else return
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  return (
    <button
      type="button"
      data-box={box.key}
      aria-label={`${name}: ${placeOfBox(box)}`}
      aria-describedby="black-out-keys"
      aria-pressed={chosen}
      ref={fresh ? focused : undefined}
      onFocus={() => boxes.choose(box.key)}
      onKeyDown={press}
      style={styleOf(box)}
      className={clsx('absolute cursor-move bg-black/80', chosen ? chosenStyles : 'outline-none')}
    >
      {chosen && (
        <>
          <span data-corner="first" className={clsx(cornerStyles, '-top-5 -left-5')} />
          <span data-corner="last" className={clsx(cornerStyles, '-right-5 -bottom-5')} />
        </>
      )}
    </button>
  )
}

const chosenStyles = 'z-10 outline-2 outline-offset-1 outline-primary'
/** The handle is large enough for a finger, and lies beside the box, not upon it. */
const cornerStyles = clsx(
  'absolute size-7 cursor-nwse-resize rounded-full',
  'before:absolute before:inset-1.5 before:rounded-full before:border-2 before:border-white',
  'before:bg-primary before:shadow-card before:pointer-events-none',
)

const share = (of: number) => `${of * 100}%`
const styleOf = ({ left, top, width, height }: PlacedBox): CSSProperties => ({
  left: share(left),
  top: share(top),
  width: share(width),
  height: share(height),
})
