// Where the pictures of the product lie, once they are built.
const at = (path: string) => new URL(path, import.meta.url).href

export const pictures = {
  claims: {
    light: at('./pictures/claims-light.avif'),
    dark: at('./pictures/claims-dark.avif'),
  },
  employee: {
    light: at('./pictures/employee-light.avif'),
    dark: at('./pictures/employee-dark.avif'),
  },
  funds: {
    light: at('./pictures/funds-light.avif'),
    dark: at('./pictures/funds-dark.avif'),
  },
  provider: {
    light: at('./pictures/provider-light.avif'),
    dark: at('./pictures/provider-dark.avif'),
  },
}
