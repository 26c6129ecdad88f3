// The three categories of the health fund: their names, their order, their colours.
import { z } from 'zod'

export type Category = z.infer<typeof Category>
export const Category = z.enum(['prevention', 'treatment', 'solidarity'])
export const categories = Category.options

export const categoryNames: Record<Category, string> = {
  prevention: 'Prevention',
  treatment: 'Treatment',
  solidarity: 'Solidarity',
}

/** A spot in the category's colour, beside its name. */
export const categorySpots: Record<Category, string> = {
  prevention: 'bg-prevention',
  treatment: 'bg-treatment',
  solidarity: 'bg-solidarity',
}
