import { Picture } from './Picture.tsx'

/** The first thing seen: the company's dashboard, as it is. */
export function ProductPicture() {
  return (
    <div className="relative mx-auto overflow-hidden rounded-2xl bg-ground shadow-raised ring-1 ring-line max-[560px]:max-w-80">
      <Picture
        first
        narrow
        name="company"
        alt="The dashboard of a company: employees, fund balance, utilization, pending claims, the fund by category"
      />
    </div>
  )
}
