import { Button } from './Button.tsx'

/** Changes are kept until they are saved, also over a reload: this says so, and they can be discarded. */
export const UnsavedChanges = ({ onDiscard }: { onDiscard: () => void }) => (
  <p className="flex flex-wrap items-center justify-between gap-2 text-ui text-soft">
    You have unsaved changes
    <Button size="small" onClick={onDiscard}>
      Discard
    </Button>
  </p>
)
