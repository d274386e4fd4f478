import { productName } from '../../product.ts';

export function meta() {
  return [{ title: productName }];
}

export default function LandingPage() {
  return (
    <main>
      <h1>{productName}</h1>
    </main>
  );
}
