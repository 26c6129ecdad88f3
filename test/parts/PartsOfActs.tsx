import { Ellipsis, ListFilter, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink, IconButton } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Dialog, Sheet } from '#ui/Dialog.tsx'
import { Menu, MenuItem, MenuLine } from '#ui/Menu.tsx'
import { PartsRow, PartsSection } from './PartsSection.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { toast } from '#ui/toast.ts'

export function PartsOfActs() {
  return (
    <>
      <PartsSection title="Buttons">
        <Buttons />
      </PartsSection>
      <PartsSection title="Panels, menus and toasts">
        <Panels />
      </PartsSection>
      <PartsSection title="Tabs">
        <Tabs
          label="Ways to add"
          tabs={{ Single: 'One by one.', 'Bulk Upload': 'From a file.', Domain: 'Automatically.' }}
        />
      </PartsSection>
      <PartsSection title="Callouts">
        <Callout title="Good to know">Something that helps, and asks for nothing.</Callout>
        <Callout tone="good">It is done, and this is what happens next.</Callout>
        <Callout
          tone="accent"
          title="Action Required"
          action={<ButtonLink to="/ui">Review budget</ButtonLink>}
        >
          Prevention is used to 82 percent. What is left lasts until September.
        </Callout>
        <Callout tone="bad" title="This could not be saved">
          The fund does not cover this amount.
        </Callout>
      </PartsSection>
    </>
  )
}

function Buttons() {
  return (
    <>
      <PartsRow>
        <Button variant="primary" icon={Plus}>
          Add Employee
        </Button>
        <Button>Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Danger</Button>
        <ButtonLink to="/ui">Link</ButtonLink>
        <IconButton label="Edit" icon={Pencil} />
      </PartsRow>
      <PartsRow>
        <Button variant="primary" size="small">
          Small
        </Button>
        <Button variant="primary">Medium</Button>
        <Button variant="primary" size="large">
          Large
        </Button>
      </PartsRow>
      <PartsRow>
        <Button variant="primary" loading>
          Saving
        </Button>
        <Button loading>Loading</Button>
        <Button disabled>Disabled</Button>
        <Button variant="primary" unless="forbidden">
          Refused, and says why
        </Button>
        <CopyButton text="copied" />
        <Button icon={ListFilter} faint>
          Filter
        </Button>
      </PartsRow>
    </>
  )
}

function Panels() {
  const [open, setOpen] = useState<'dialog' | 'sheet'>()
  const close = () => setOpen(undefined)
  return (
    <PartsRow>
      <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
      <Button onClick={() => setOpen('sheet')}>Open sheet</Button>
      <Menu label="More" trigger={<Button icon={Ellipsis} aria-label="More acts" />}>
        <MenuItem onSelect={() => toast('Edited')} icon={Pencil}>
          Edit
        </MenuItem>
        <MenuItem onSelect={close} unless="forbidden">
          Suspend
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={close} danger icon={Trash2}>
          Remove
        </MenuItem>
      </Menu>
      <Button onClick={() => toast('Employee added successfully!')}>Success toast</Button>
      <Button onClick={() => toast('The fund does not cover this amount', 'failure')}>
        Failure toast
      </Button>
      <Button
        onClick={() =>
          toast('Claim withdrawn', 'notice', { label: 'Undo', run: () => toast('Undone') })
        }
      >
        Toast with Undo
      </Button>
      <Dialog
        open={open === 'dialog'}
        onClose={close}
        title="Suspend this company?"
        description="All of its people are signed out at once."
        actions={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button variant="danger" onClick={close}>
              Suspend
            </Button>
          </>
        }
      >
        <p className="text-sm text-soft">Nothing is deleted. You can activate it again.</p>
      </Dialog>
      <Sheet open={open === 'sheet'} onClose={close} title="Claim #1042">
        <p className="text-sm text-soft">One thing of a list, beside the list.</p>
      </Sheet>
    </PartsRow>
  )
}
