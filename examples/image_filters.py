"""An image is made, blurred, sharpened and searched for edges; every step is written as a PNG file.

python examples/image_filters.py [--size small|medium|large|N] [--folder DIR]     N: pixels a side
"""

from pathlib import Path

from kit import best_ms, parse
from kit.pictures import to_grey, write_png

import cuprum as cp
from cuprum.scipy import ndimage


def scene(side: int) -> cp.ndarray:
    """Discs and bars on a shaded ground, with noise: something to find edges in."""
    y, x = cp.mgrid[0:side, 0:side] / side
    image = 0.3 * x + 0.1 * y
    for centre_x, centre_y, radius, level in (
        (0.3, 0.35, 0.18, 0.6),
        (0.7, 0.6, 0.22, 0.4),
        (0.55, 0.2, 0.08, 0.8),
    ):
        image = cp.where((x - centre_x) ** 2 + (y - centre_y) ** 2 < radius**2, level, image)
    image = cp.where((x * 12).astype(int) % 4 == 0, image + 0.15 * (y > 0.8), image)
    return image + 0.03 * cp.random.default_rng(11).standard_normal((side, side))


def edges(image: cp.ndarray) -> cp.ndarray:
    """The length of the gradient."""
    return cp.hypot(ndimage.sobel(image, axis=0), ndimage.sobel(image, axis=1))


def main() -> None:
    sizes = {"small": 96, "medium": 1024, "large": 4096}
    arguments = parse(
        "Blur an image and find its edges.", sizes, folder="where the PNG files go (default: here)"
    )
    side = arguments.size
    folder = Path(arguments.folder or ".")
    folder.mkdir(parents=True, exist_ok=True)
    image = scene(side)
    blurred = ndimage.gaussian_filter(image, sigma=2)
    steps = {
        "scene": image,
        "blurred": blurred,
        "median": ndimage.median_filter(image, size=3),
        "sharpened": cp.clip(image + 1.5 * (image - blurred), 0, 1),
        "edges": edges(blurred),
    }
    for name, pixels in steps.items():
        path = write_png(folder / f"image_{name}.png", to_grey(pixels))
        print(f"{path}: {pixels.shape}, from {float(pixels.min()):.3f} to {float(pixels.max()):.3f}")
    milliseconds = best_ms(lambda: edges(ndimage.gaussian_filter(image, 2)))
    print(f"\nBlur and edges of {side}x{side}: {milliseconds:.2f} ms")
    assert float(blurred.std()) < float(image.std()), "a blur takes contrast away"


if __name__ == "__main__":
    main()
