import { useFormContext } from 'react-hook-form'
import { Button } from '#ui/Button.tsx'
import { SubmitButton } from '#ui/Form.tsx'
import type { Decidable, Decide } from './deciding.tsx'

export type OneProps = { claim: Decidable; decide: Decide; onClose: () => void }

type ButtonsProps = { onClose: () => void; does: string; danger?: boolean }

export function Buttons({ onClose, does, danger }: ButtonsProps) {
  const { isSubmitting } = useFormContext().formState
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      {danger ? (
        <Button type="submit" variant="danger" loading={isSubmitting}>
          {does}
        </Button>
      ) : (
        <SubmitButton>{does}</SubmitButton>
      )}
    </div>
  )
}
