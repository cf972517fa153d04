/** Sign of the product: layers. */
export const Logo = ({ size }: { readonly size: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
    <g fill="none" stroke="#1c7ed6" strokeWidth="3" strokeLinejoin="round">
      <path d="M4 10l12-6 12 6-12 6z" />
      <path d="M4 16l12 6 12-6" />
      <path d="M4 22l12 6 12-6" />
    </g>
  </svg>
);
