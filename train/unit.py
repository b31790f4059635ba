"""Write `unit.onnx`: the fp32 encoder that `bench speed` measures against, a graph without stored weights."""

from __future__ import annotations

import numpy as np
from transformers import BertConfig, BertModel

from train.graph import Graph, encoder, finish
from train.paths import REPOSITORY, minilm

SMALL = 64


class Weightless(Graph):
    """Tables are worked out by the session: sines of running numbers, about as large as trained weights."""

    def constant(self, name: str, values: np.ndarray) -> str:
        if values.size <= SMALL or values.dtype != np.float32:
            return super().constant(name, values)
        numbers = self.one(
            "Range", [self.number(f"{name}.zero", 0.0), self.number(f"{name}.size", values.size), self.unit]
        )
        waves = self.one("Sin", [self.one("Mul", [numbers, self.number(f"{name}.step", 12.9898)])])
        small = self.one("Mul", [waves, self.number(f"{name}.spread", 0.05)])
        return self.one("Reshape", [small, super().constant(f"{name}.shape", np.array(values.shape))])

    @property
    def unit(self) -> str:
        name = f"unit_{len(self.weights)}"
        return self.number(name, 1.0)

    def number(self, name: str, value: float) -> str:
        return super().constant(name, np.array(value, dtype=np.float32))


def main() -> None:
    config = BertConfig.from_pretrained(minilm())
    shape = BertModel(config, add_pooling_layer=False)
    weights = {name: w.detach().numpy() for name, w in shape.state_dict().items()}
    graph = Weightless(bits=32)
    model = finish(graph, {"hidden": encoder(graph, weights, config)}, "unit")
    (REPOSITORY / "src" / "smallprint" / "bench" / "unit.onnx").write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
