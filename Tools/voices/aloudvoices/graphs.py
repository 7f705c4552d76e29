"""Opens the duration predictor of an exported speech model, without touching its weights.

Both Kokoro and hibari predict how many frames each phoneme lasts, round, clip, and then build the sound. `opened`
puts a maximum behind the clip: the durations become an output (a carrier sentence can be cut exactly where the
engine placed the sounds), and a least duration for every phoneme becomes an input (a digit inside a long
sentence shrinks to a tenth of a second otherwise)."""
import numpy as np

LEAST, DURATIONS = "aloud_least", "aloud_durations"


def opened(path, clip_output, threads=1):
    """An onnxruntime session over the model with the two additions. clip_output: the name of the clipped durations."""
    import onnx
    import onnxruntime

    model = onnx.load(str(path))
    graph = model.graph
    at = next(i for i, node in enumerate(graph.node) if clip_output in node.output)
    for node in graph.node:
        for k, name in enumerate(node.input):
            if name == clip_output:
                node.input[k] = DURATIONS
    graph.node.insert(at + 1, onnx.helper.make_node("Max", [clip_output, LEAST], [DURATIONS], name="aloud_max"))
    graph.input.append(onnx.helper.make_tensor_value_info(LEAST, onnx.TensorProto.FLOAT, ["aloud_tokens"]))
    graph.output.append(onnx.helper.make_tensor_value_info(DURATIONS, onnx.TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def stretched(durations, spans, least_frames):
    """Least durations (one a token, the two pads included) that make each span as long as asked.

    The time is spread over the span's phonemes in proportion to what they have. None where nothing is to be done."""
    floor, touched = np.zeros(len(durations), np.float32), False
    for (start, end), want in zip(spans, least_frames):
        own = durations[start + 1:end + 1].astype(float)
        if want and end > start and own.sum() < want:
            floor[start + 1:end + 1] = np.round(own * want / max(own.sum(), 1))
            touched = True
    return floor if touched else None
