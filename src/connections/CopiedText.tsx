import { CopyButton } from '#ui/CopyButton.tsx'

/** A text to put into another system, word for word. */
export const CopiedText = ({ name, text }: { name: string; text: string }) => (
  <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-sunken px-4 py-3">
    <div className="min-w-0">
      <p className="text-ui text-soft">{name}</p>
      <output aria-label={name} className="font-mono text-sm wrap-anywhere select-all">
        {text}
      </output>
    </div>
    <CopyButton text={text} label={`Copy ${name.charAt(0).toLowerCase()}${name.slice(1)}`} />
  </div>
)
